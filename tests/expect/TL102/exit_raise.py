"""Some ranks raise, the others wait."""

import torch.distributed as dist


class NotLeader(RuntimeError):
    pass


def refuse(rank, tensor):
    if rank != 0:
        raise RuntimeError("must run on rank 0")
    dist.all_reduce(tensor)  # expect: TL102


def refuse_with_own_error(rank, tensor):
    if rank > 0:
        raise NotLeader(rank)
    dist.all_reduce(tensor)  # expect: TL102


def caught_outside(rank, tensor):
    try:
        if rank != 0:
            raise NotLeader(rank)
        dist.all_reduce(tensor)  # expect: TL102
    except NotLeader:
        print("follower")


def asserted(rank, tensor):
    assert rank == 0, "leader only"
    dist.all_reduce(tensor)  # expect: TL102
