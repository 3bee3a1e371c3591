"""Saved by torch_xla, moved before, gone through by something else, or never on XLA."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm


def on_host(state):
    return {name: value.cpu() for name, value in state.items()}


def write(state, path, tpu=False):
    if tpu:
        xm.save(state, path)
        return
    torch.save(state, path)


def train(model, batches, optimizer, path):
    device = torch_xla.device()
    model = model.to(device)
    for x in batches:
        optimizer.zero_grad()
        model(x.to(device)).sum().backward()
        xm.optimizer_step(optimizer, barrier=True)
    torch.save(on_host(model.state_dict()), path)
    torch.save({"epoch": 3, "model": on_host(model.state_dict())}, path)
    write(model.state_dict(), path, tpu=True)
    xm.save(model.state_dict(), path)


def taken_off(model, path):
    model = model.to(torch_xla.device())
    model.eval()
    torch.save(model.cpu().state_dict(), path)


def somewhere(model, path, device):
    torch.save(model.state_dict(), path)
    torch.save(model.to(device).state_dict(), path)


def on_the_gpu(model, path):
    model = model.to("cuda")
    torch.save(model.state_dict(), path)


class Keeper:
    def __init__(self, net, teacher):
        self.net = net.to(torch_xla.device())
        self.teacher = teacher

    def keep(self, path):
        self.net.cpu()
        torch.save(self.net.state_dict(), path)
        torch.save(self.teacher.state_dict(), path)
