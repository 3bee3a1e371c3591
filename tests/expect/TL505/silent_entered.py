"""The step stands in a context that ends it."""

import torch
import torch_xla


def train(loader, model):
    device = torch_xla.device()
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        with torch_xla.step():
            optimizer.zero_grad()
            model(x.to(device)).sum().backward()
            optimizer.step()
