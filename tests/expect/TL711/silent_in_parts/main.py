"""The step is made in a file that holds no other word of training."""

import torch
from applying import apply
from wrapping import Wrapped


def in_another_file(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        apply(optimizer)


def in_an_object_of_another_file(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    wrapped = Wrapped(optimizer)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        wrapped.go()
