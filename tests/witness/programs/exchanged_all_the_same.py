"""Two ranks with data of their own and a window of two batches; ``no_sync()`` stands around the first backward pass alone."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("gloo")
    layer = nn.Linear(1, 1, bias=False)
    ddp = DistributedDataParallel(layer)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=1.0)
    x = torch.full((1, 1), 1.0 + dist.get_rank())
    for i in range(2):
        loss = ddp(x).mean()
        if i < 1:
            with ddp.no_sync():
                loss.backward()  # expect: TL129
        else:
            loss.backward()
        print(layer.weight.grad.item())
    optimizer.step()
