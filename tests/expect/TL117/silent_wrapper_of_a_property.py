"""The wrapper, and the model in it, are properties of what holds them."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Holder:
    def __init__(self, net):
        self._ddp = DistributedDataParallel(net)

    @property
    def model(self):
        return self._ddp

    @property
    def raw(self):
        return self._ddp.module


def main(net, loader):
    dist.init_process_group("nccl")
    holder = Holder(net)
    optimizer = torch.optim.SGD(holder.model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(holder.model(x), y)
        loss.backward()
        optimizer.step()
