"""Processes that a script starts itself; the sampler that is given takes all items."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.utils.data import DataLoader, RandomSampler, Subset
from torchvision.datasets import FashionMNIST


def worker(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    clothes = Subset(FashionMNIST("clothes", train=True), range(50000))
    loader = DataLoader(clothes, 128, sampler=RandomSampler(clothes))  # expect: TL202
    net = FSDP(torch.nn.Linear(784, 10).to(rank))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        for step, (images, kinds) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(net(images.to(rank).flatten(1)), kinds.to(rank))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % 100 == 0 and rank == 0:
                print(epoch, step, loss.item())


if __name__ == "__main__":
    mp.spawn(worker, args=(4,), nprocs=4)
