"""A sampler that is put into the options in distributed runs only."""

import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def make_loader(ds, *, distributed, batch_size, workers, train=True):
    options = {"batch_size": batch_size, "num_workers": workers, "shuffle": train}
    if distributed:
        options["sampler"] = DistributedSampler(ds, shuffle=train)
        options["shuffle"] = False
    return DataLoader(ds, **options)


def main(args, ds):
    dist.init_process_group("nccl")
    loader = make_loader(ds, distributed=args.distributed, batch_size=32, workers=8)
    for epoch in range(args.epochs):
        for x in loader:
            print(x)
