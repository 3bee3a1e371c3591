"""Gradients are reduced by hand before a plain step; an optimizer of the project reduces by itself."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def work(index, loader):
    device = xm.xla_device()
    model = torch.nn.Linear(4, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).sum().backward()
        gradients = [p.grad for p in model.parameters()]
        xm.all_reduce("sum", gradients, scale=1.0 / 8)
        optimizer.step()


if __name__ == "__main__":
    torch_xla.launch(work, args=([torch.ones(2, 4)],))
