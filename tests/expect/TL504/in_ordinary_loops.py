"""Values that ordinary loops fetch in each step: norms, counts, metrics of a helper, iterators."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch.nn as nn


def a(model, loader, opt):
    device = xm.xla_device()
    for x, y in pl.MpDeviceLoader(loader, device):
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(opt)
        print("loss", loss)  # expect: TL504


def b(model, loader, opt):
    device = xm.xla_device()
    for x, y in pl.MpDeviceLoader(loader, device):
        loss = model(x, y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        xm.optimizer_step(opt)
        print("norm", norm)  # expect: TL504


def c(model, loader, opt):
    device = xm.xla_device()
    it = iter(pl.MpDeviceLoader(loader, device))
    for step in range(100):
        x, y = next(it)
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(opt)
        print("loss", loss.item())  # expect: TL504


def d(model, loader, opt):
    device = xm.xla_device()
    model = model.to(device)
    loader = pl.MpDeviceLoader(loader, device)
    for epoch in range(3):
        running = 0.0
        correct = 0
        for i, (x, y) in enumerate(loader):
            out = model(x)
            loss = nn.functional.cross_entropy(out, y)
            opt.zero_grad()
            loss.backward()
            xm.optimizer_step(opt)
            running += loss.detach().cpu().numpy()  # expect: TL504
            correct += (out.argmax(1) == y).sum().item()
            if loss > 100:
                break


def e(model, loader, opt, writer):
    device = xm.xla_device()
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, device)):
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(opt)
        writer.add_scalar("loss", loss.item(), step)  # expect: TL504
        if step % 10 == 0:
            print(loss.item())


def metrics(out, y):
    acc = (out.argmax(-1) == y).float().mean()
    return {"acc": acc.item()}  # expect: TL504


def f(model, loader, opt):
    device = xm.xla_device()
    log = []
    for x, y in pl.MpDeviceLoader(loader, device):
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        xm.optimizer_step(opt)
        log.append(metrics(out, y))


def g(model, loader, opt):
    device = xm.xla_device()
    for x, y in pl.MpDeviceLoader(loader, device):

        def closure(loss=None):
            return loss

        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(opt)
        if torch.isnan(loss):
            raise ValueError
        if xm.is_master_ordinal():
            print("l", loss.item())
