"""``loader.sampler`` of a loader with a batch sampler is none of this kind."""

import argparse

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def get_loader(ds, batch):
    sampler = DistributedSampler(ds, shuffle=True)
    return DataLoader(ds, batch_sampler=BatchSampler(sampler, batch, drop_last=True), num_workers=4)


def main(args):
    dist.init_process_group("nccl")
    model = DDP(torch.nn.Linear(3, 3).cuda())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = get_loader(torch.ones(100, 3), args.batch)
    for epoch in range(args.epochs):  # expect: TL201
        if isinstance(loader.sampler, DistributedSampler):
            loader.sampler.set_epoch(epoch)
        for x in loader:
            opt.zero_grad()
            model(x.cuda()).sum().backward()
            opt.step()


p = argparse.ArgumentParser()
p.add_argument("--batch", type=int, default=8)
p.add_argument("--epochs", type=int, default=10)
main(p.parse_args())
