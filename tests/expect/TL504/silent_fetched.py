"""Fetched once in a while, after the mark, on the host, or nowhere near XLA."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def in_one_piece(loader, model, optimizer):
    device = torch_xla.device()
    for x, y in pl.MpDeviceLoader(loader, device):
        with torch_xla.step():
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(loss.item(), loss.mean().cpu())


def send_off():
    xm.mark_step()


def by_a_helper(loader, model, optimizer):
    for x in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        send_off()
        print(f"{loss.item():.3f}")


def summed(loader, model):
    hits, total = 0, 0
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        hits += model(x).argmax(1).eq(y).sum()
        total += x.size(0)
        print(x.size(0), int(x.shape[0]))
    return hits.item() / total


def at_the_end(loader, model, optimizer, last):
    device = torch_xla.device()
    for step, x in enumerate(pl.MpDeviceLoader(loader, device)):
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        xm.optimizer_step(optimizer)
        if step == last:
            print(loss.item())
        xm.add_step_closure(lambda value: print(value.item()), args=(loss,))


def on_cuda(loader, model, optimizer):
    for x in loader:
        optimizer.zero_grad()
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())
