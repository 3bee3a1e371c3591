"""What a model runs in training mode only, in a pass on one rank that leaves it there, or puts it back; what it always runs."""

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
        return one @ other.t()

    def joined(self, one):
        if not self.training:
            dist.all_reduce(one)
        return one


def rows(model, parts):
    return [model.compare(one, parts[0]) for one in parts]


def score(model, loader):
    model.eval()
    parts = [model.encode(batch) for batch in loader]
    model.train()
    return rows(model, parts)


def sums(model, loader):
    model.eval()
    return [model.joined(batch) for batch in loader]


def main(args, loader):
    model = Encoder()
    if args.local_rank == 0:
        print(score(model, loader))  # expect: TL101


def never_put_there(args, parts):
    model = Encoder()
    if dist.get_rank() == 0:
        print(rows(model, parts))  # expect: TL101


def in_evaluation_only(args, loader):
    model = Encoder()
    if dist.get_rank() == 0:
        print(sums(model, loader))  # expect: TL101
