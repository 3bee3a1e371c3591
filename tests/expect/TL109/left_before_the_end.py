"""A loop that may end before for a reason that is out of sight is as uneven as it was; one that is counted or agreed on is not."""

import torch
import torch.distributed as dist
from elsewhere import preempted


def for_a_reason_of_its_own(items, embed):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect-likely: TL109
        if preempted():
            break
        dist.all_reduce(embed(item))


def as_somebody_chose(items, embed, dry_run):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in mine:  # expect-likely: TL109
        dist.all_reduce(embed(item))
        if dry_run:
            break


def counted(items, embed):
    fewest = len(items) // dist.get_world_size()
    for number, item in enumerate(items[dist.get_rank() :: dist.get_world_size()]):
        if number >= fewest:
            break
        dist.all_reduce(embed(item))


def any_is_done(left):
    flag = torch.tensor(left)
    dist.all_reduce(flag, op=dist.ReduceOp.MIN)
    return flag.item() == 0


def agreed(items, embed):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for number, item in enumerate(mine):
        if any_is_done(len(mine) - number):
            break
        dist.all_reduce(embed(item))
