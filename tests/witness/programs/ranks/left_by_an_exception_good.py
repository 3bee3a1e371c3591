"""All reduce before those who have nothing to report leave."""

import torch
import torch.distributed as dist


class NothingToReport(Exception):
    pass


def report(right):
    dist.all_reduce(right)
    if dist.get_rank() != 0:
        raise NothingToReport
    return right.item()


def main():
    right = torch.tensor([3.0])
    try:
        print(report(right))
    except NothingToReport:
        pass
    return right.item()
