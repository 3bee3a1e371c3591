"""A rank that has ended goes along with the others."""

import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


def main():
    rank, world_size = dist.get_rank(), dist.get_world_size()
    inputs = torch.ones(5, 2)
    loader = DataLoader(TensorDataset(inputs[rank::world_size]), batch_size=1)
    model = DistributedDataParallel(torch.nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with Join([model]):
        for (batch,) in loader:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
    return model.module.weight.tolist()
