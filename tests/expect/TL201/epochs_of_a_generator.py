"""Epochs that a generator counts, whose batches the loop is handed."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def epochs(loader, n):
    for epoch in range(n):  # expect: TL201
        for batch in loader:
            yield epoch, batch


def main(ds, model, opt):
    dist.init_process_group("nccl")
    model = torch.nn.parallel.DistributedDataParallel(model)
    loader = DataLoader(ds, 32, sampler=DistributedSampler(ds), num_workers=2)
    for epoch, batch in epochs(loader, 20):
        opt.zero_grad(set_to_none=True)
        loss = model(batch).mean()
        loss.backward()
        opt.step()
