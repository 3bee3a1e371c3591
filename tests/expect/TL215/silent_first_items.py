"""Each rank draws some of its own samples at random, as many as it is to give: no list is split among them."""

import torch
import torch.distributed as dist


def draw(samples, count):
    order = torch.randperm(len(samples))[:count]
    return samples[order]


def draw_all(samples, wanted):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    counts = [wanted // ranks + (rank < wanted % ranks) for rank in range(ranks)]
    return draw(samples, counts[rank])
