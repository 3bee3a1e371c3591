"""A generator that is handed out is not run by that; one that is drawn from is."""

import torch.distributed as dist


def parts():
    dist.barrier()
    yield 1


def handed(rank):
    yield parts()


def given(rank):
    yield from parts()


def main(rank):
    if rank == 0:
        for part in handed(rank):
            print(part)


def other(rank):
    if rank == 0:
        for part in given(rank):  # expect: TL101
            print(part)


main(dist.get_rank())
other(dist.get_rank())
