"""A rank that runs out of memory swallows the error and goes on with its next batch."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def batches(rank):
    for step in range(3):
        yield torch.ones(64 if rank == 1 and step == 1 else 2, 2)


class Layer(torch.nn.Linear):
    """On a device that holds few rows."""

    def forward(self, rows):
        if len(rows) > 8:
            raise torch.OutOfMemoryError("out of memory")
        return super().forward(rows)


def main():
    model = DistributedDataParallel(Layer(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in batches(dist.get_rank()):
        optimizer.zero_grad()
        try:
            model(batch).sum().backward()  # expect: TL103  # stuck: 0
        except torch.OutOfMemoryError:
            continue
        optimizer.step()
    return model.module.weight.tolist()
