"""The test on the rank, the summary and its reduction are in three files."""

import torch.distributed as dist
from environment import leads
from metrics import Mean, summary


def main():
    mean = Mean()
    mean.add(float(dist.get_rank()))
    if leads():
        print(summary(mean))  # expect: TL101
    return dist.get_world_size()
