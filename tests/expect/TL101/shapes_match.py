"""`match` on a rank."""

import torch.distributed as dist


def on_the_rank(rank, payload):
    match rank:
        case 0:
            dist.broadcast(payload, src=0)  # expect: TL101
        case _:
            payload.zero_()


def on_a_flag(payload):
    is_main = dist.get_rank() == 0
    match is_main:
        case True:
            payload.zero_()
        case False:
            dist.broadcast(payload, src=0)  # expect: TL101


def guard_of_a_case(mode, rank, payload):
    match mode:
        case "train" if rank == 0:
            dist.all_reduce(payload)  # expect: TL101
        case _:
            pass
