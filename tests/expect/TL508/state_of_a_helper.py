"""A state that a helper takes."""

import torch
import torch_xla.core.xla_model as xm


def weights_of(model):
    return model.state_dict()


def on_host(model):
    return {key: value.cpu() for key, value in model.state_dict().items()}


def train(model, batches, optimizer):
    device = xm.xla_device()
    model = model.to(device)
    for x in batches:
        optimizer.zero_grad()
        model(x.to(device)).sum().backward()
        xm.optimizer_step(optimizer, barrier=True)
    torch.save(weights_of(model), "model.pt")  # expect: TL508
    torch.save(on_host(model), "portable.pt")
