"""A loop over words: what is asked of each of them, first, middle and last, and of one that is not among them."""

import torch.distributed as dist


def phases(rank):
    for phase in ("train", "val", "test"):
        if phase == "train" and rank == 0:
            dist.barrier()  # expect: TL101
        if phase == "val" and rank == 0:
            dist.barrier()  # expect: TL101
        if phase == "test" and rank == 0:
            dist.barrier()  # expect: TL101
        if phase == "predict" and rank == 0:
            dist.barrier()


def pairs(rank):
    for phase, kind in (("train", "a"), ("val", "b"), ("test", "c")):
        if kind == "b" and rank == 0:
            dist.barrier()  # expect: TL101
        if kind == "d" and rank == 0:
            dist.barrier()
        if phase == "a" and rank == 0:
            dist.barrier()


phases(dist.get_rank())
pairs(dist.get_rank())
