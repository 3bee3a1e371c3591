"""A step that is marked in the loop of another function ends none of this one's."""

import torch_xla
import torch_xla.core.xla_model as xm


def train(model, loader, optimizer):
    device = torch_xla.device()
    model.to(device)
    for x, y in loader:
        loss = model(x.to(device), y.to(device))
        loss.backward()
        xm.optimizer_step(optimizer)  # expect: TL505
        optimizer.zero_grad()


def finetune(model, loader, optimizer):
    device = torch_xla.device()
    model.to(device)
    for x, y in loader:
        loss = model(x.to(device), y.to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()


def pretrain(model, loader, optimizer, hooks):
    device = torch_xla.device()
    model.to(device)
    for x, y in loader:
        loss = model(x.to(device), y.to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        end_of_step(hooks)


def end_of_step(hooks):
    for hook in hooks:
        hook()
    torch_xla.sync()
