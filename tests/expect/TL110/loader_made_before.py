"""Beside a loader that pins its batches, a model is put on the current GPU before one is selected."""

import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def worker(rank, world_size, data):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=world_size)  # expect: TL110
    loader = DataLoader(data, pin_memory=True, sampler=DistributedSampler(data))
    model = torch.nn.Linear(8, 2).cuda()
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(model, device_ids=[rank])
    for x in loader:
        model(x.to(rank))


def main(data):
    mp.spawn(worker, args=(torch.cuda.device_count(), data), nprocs=torch.cuda.device_count())
