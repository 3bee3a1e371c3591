"""All ranks make the summary, one prints it."""

import torch.distributed as dist
from environment import leads
from metrics import Mean, summary


def main():
    mean = Mean()
    mean.add(float(dist.get_rank()))
    found = summary(mean)
    if leads():
        print(found)
    return found
