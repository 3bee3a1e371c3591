"""What a model runs in training mode only, and a pass on one rank that puts it into evaluation mode first."""

import torch
import torch.distributed as dist
from torch import nn


class Encoder(nn.Module):
    def encode(self, batch):
        return batch * 2

    def compare(self, one, other):
        if self.training:
            parts = [torch.zeros_like(other) for _ in range(dist.get_world_size())]
            dist.all_gather(parts, other)
            other = torch.cat(parts)
            dist.barrier()
        return one @ other.t()

    def similarity(self, one, other, loose=True):
        return self.compare(one, other) if loose else one


def rows(model, parts):
    found = []
    for one in parts:
        found.append([model.similarity(one, other, loose=True) for other in parts])
    return found


def score(model, loader):
    model = model.module if hasattr(model, "module") else model
    model.eval()
    with torch.no_grad():
        parts = [model.encode(batch) for batch in loader]
        return rows(model, parts)


def main(args, loader):
    dist.init_process_group("nccl")
    model = Encoder()
    if args.local_rank == 0:
        print(score(model, loader))


def put_there_by_the_caller(args, parts):
    model = Encoder()
    model.eval()
    if dist.get_rank() == 0:
        print(rows(model, parts))
