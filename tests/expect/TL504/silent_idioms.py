"""Steps as the documentation of torch_xla writes them, and values that are fetched where that is right."""
# Modelled on pytorch/xla (train_resnet_base, train_decoder_only_base, test_train_mp_imagenet), huggingface/trl (orpo_trainer),
# facebookresearch/fairseq (trainer, wav2vec2).

import time

import torch
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.runtime as xr


def log(step, loss, tracker):
    print(step, loss.item(), tracker.rate())


def closures(loader, model, optimizer, tracker):
    """The loader marks the step; what is printed is printed behind it, with tensors of the device."""
    device = torch_xla.device()
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, device)):
        optimizer.zero_grad()
        loss = F.nll_loss(model(x), y)
        loss.backward()
        xm.optimizer_step(optimizer)
        tracker.add(len(y))
        if step % 10 == 0:
            xm.add_step_closure(log, args=(step, loss, tracker))


def in_a_step(loader, model, optimizer, steps):
    """`torch_xla.step` ends it; the clock waits for the device."""
    batches = iter(pl.MpDeviceLoader(loader, torch_xla.device()))
    start = time.perf_counter()
    for step in range(steps):
        x, y = next(batches)
        with torch_xla.step():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            xm.optimizer_step(optimizer)
    xm.wait_device_ops()
    return time.perf_counter() - start


def burst(loader, model, optimizer):
    """Several values behind one mark: they are there by then."""
    device = xm.xla_device()
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        xm.optimizer_step(optimizer)
        xm.mark_step()
        metrics = {"loss": loss.item(), "norm": norm.item()}
        print(metrics)


def counted(loader, model):
    """The hits stay on the device, and are read once."""
    correct, total = torch.zeros((), device=torch_xla.device()), 0
    model.eval()
    with torch.no_grad():
        for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
            correct += (model(x).argmax(dim=1) == y).sum()
            total += y.size(0)
    accuracy = 100.0 * correct.item() / total
    return xm.mesh_reduce("accuracy", accuracy, max)


def on_the_first(loader, model, optimizer, path):
    """Host work of one core; the save is called by all of them."""
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        xm.optimizer_step(optimizer)
    if xr.global_ordinal() == 0:
        print("done", path)
    xm.rendezvous("saved")
    xm.save(model.state_dict(), path)


def masked(loader, model, optimizer):
    """A test of a value that is never reached on XLA."""
    for x, mask in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        if xm.is_xla_tensor(x) or mask.any():
            x = torch.where(mask, x, torch.zeros_like(x))
        model(x).mean().backward()
        xm.optimizer_step(optimizer)


def sharded(loader, model, optimizer):
    """Reduced by hand: a plain step is right, and is ended."""
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        xm.reduce_gradients(optimizer)
        optimizer.step()


def compiled(loader, model, optimizer):
    @torch_xla.compile
    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        step(x, y)
