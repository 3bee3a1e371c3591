"""Nobody knows what the loader is; the barrier is somebody's choice; the optimizer may mark the step."""

import torch
import torch_xla.core.xla_model as xm


def from_elsewhere(loader, model, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).sum().backward()
        xm.optimizer_step(optimizer)


def chosen(loader, model, optimizer, barrier):
    device = xm.xla_device()
    for x in loader:
        optimizer.zero_grad()
        model(x.to(device)).sum().backward()
        xm.optimizer_step(optimizer, barrier=barrier)


def out_of_sight(loader, model, optimizer):
    device = xm.xla_device()
    for x in loader:
        optimizer.zero_grad()
        model(x.to(device)).sum().backward()
        optimizer.step()


def on_the_gpu(loader, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x.to("cuda")).sum().backward()
        optimizer.step()
