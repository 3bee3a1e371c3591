"""A generator counts the epochs, and hands out the one loader."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def epochs(loader, n):
    for epoch in range(n):
        loader.sampler.set_epoch(epoch)
        yield epoch, loader


def main(model, dataset):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch, batches in epochs(loader, 10):
        for x in batches:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
