"""The function of the training is also called by itself, for one device."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def train(loader):
    device = xm.xla_device()
    model = torch.nn.Linear(4, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x in pl.MpDeviceLoader(loader, device):
            optimizer.zero_grad()
            model(x).sum().backward()
            optimizer.step()  # expect: TL506


def work(index, loader):
    train(loader)


def main(loader, alone):
    if alone:
        train(loader)
    else:
        torch_xla.launch(work, args=(loader,))
