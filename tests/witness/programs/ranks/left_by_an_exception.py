"""An exception is the way out for those who have nothing to report; their caller takes it as that."""

import torch
import torch.distributed as dist


class NothingToReport(Exception):
    pass


def report(right):
    if dist.get_rank() != 0:
        raise NothingToReport
    dist.all_reduce(right)  # expect: TL102  # stuck: 0
    return right.item()


def main():
    try:
        print(report(torch.tensor([3.0])))
    except NothingToReport:
        pass
    return dist.get_world_size()
