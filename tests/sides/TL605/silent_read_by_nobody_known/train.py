import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def save(layer, path):
    wrapped = DistributedDataParallel(layer)
    torch.save(wrapped.state_dict(), path)


def read(net, state, make):
    net.load_state_dict(torch.load("net.pt", map_location="cpu", weights_only=True))
    layer = nn.Linear(4, 4)
    layer.load_state_dict(state)
    return make(layer)
