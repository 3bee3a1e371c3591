"""Each rank draws some of its own samples at random, as many as it is to give: no list is split among them."""

import torch
import torch.distributed as dist


def draw(samples, count):
    if len(samples) < count:
        order = torch.randint(0, len(samples), (count,))
    else:
        order = torch.randperm(len(samples))[:count]
    return samples[order]


def draw_all(samples, wanted):
    counts = torch.zeros(dist.get_world_size(), dtype=torch.long)
    dist.all_reduce(counts)
    return draw(samples, counts[dist.get_rank()])


def draw_less(samples):
    rank = dist.get_rank()
    return draw(samples, 3 + rank)
