"""Those with fewer rounds wait in a loop of their own until all are done."""

import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Subset

from passes import one_pass


def empty_rounds(items, step, device):
    part = items[dist.get_rank() :: dist.get_world_size()]
    most = torch.tensor(len(part), device=device)
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    for item in part:
        dist.all_reduce(step(item))
    for _ in range(int(most.item()) - len(part)):
        dist.all_reduce(torch.zeros(1, device=device))


def joined_in_a_caller(net, data, optimizer):
    model = DistributedDataParallel(net)
    part = Subset(data, range(dist.get_rank(), len(data), dist.get_world_size()))
    with Join([model]):
        one_pass(model, DataLoader(part, batch_size=4), optimizer)


def joined_here(net, data, optimizer):
    model = DistributedDataParallel(net)
    part = Subset(data, range(dist.get_rank(), len(data), dist.get_world_size()))
    with model.join():
        for x in DataLoader(part, batch_size=4):
            model(x).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
