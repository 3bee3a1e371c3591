"""Every rank trains on its own part of the data, and the parts are not equally long."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    inputs = torch.ones(5, 2)
    loader = DataLoader(TensorDataset(inputs[rank::world_size]), batch_size=1)
    model = DistributedDataParallel(torch.nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for (batch,) in loader:  # expect: TL109
        optimizer.zero_grad()
        model(batch).sum().backward()  # stuck: 0
        optimizer.step()
    return model.module.weight.tolist()
