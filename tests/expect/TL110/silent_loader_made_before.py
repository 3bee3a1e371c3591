"""A loader that pins its batches is made before the GPU is selected, and iterated after that."""
# Modelled on lmnt-com/diffwave.

import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def loader_of(data):
    return DataLoader(data, pin_memory=True, sampler=DistributedSampler(data))


def worker(rank, world_size, data):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=world_size)
    loader = loader_of(data)
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(torch.nn.Linear(8, 2).to(rank), device_ids=[rank])
    for x in loader:
        model(x.to(rank))


def main(data):
    mp.spawn(worker, args=(torch.cuda.device_count(), data), nprocs=torch.cuda.device_count())
