"""Two ranks with data of their own; the loss is computed by the model inside the wrapper."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("gloo")
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    ddp = DistributedDataParallel(layer)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=1.0)
    x = torch.full((1, 1), 1.0 + dist.get_rank())
    for _ in range(2):
        optimizer.zero_grad()
        loss = ddp.module(x).mean()  # expect: TL117
        loss.backward()
        optimizer.step()
    print(layer.weight.item())
