"""A step that is told by a setting to end the program's, or perhaps to."""

import torch.nn.functional as F
import torch_xla.core.xla_model as xm

SETTINGS = {"barrier": True}


def train(loader, model, optimizer):
    device = xm.xla_device()
    model.to(device).train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        xm.optimizer_step(optimizer, barrier=SETTINGS["barrier"])
