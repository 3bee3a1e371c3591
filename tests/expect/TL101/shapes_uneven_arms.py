"""Both sides communicate, one of them more often: the first call without a partner is the place."""

import torch.distributed as dist


def once_against_twice(rank, dataset):
    if rank == 0:
        dataset.download()
        dist.barrier()
        dataset.index()
        dist.barrier()  # expect: TL101
    else:
        dist.barrier()


def half_a_split_barrier(rank, dataset):
    if rank != 0:
        dist.barrier()  # expect: TL101
    dataset.prepare()
    return dataset


def not_complements(dataset):
    # Rank 1 waits nowhere: rank 0 comes to its barrier and finds one partner missing.
    rank = dist.get_rank()
    if rank > 1:
        dist.barrier()
    dataset.prepare()
    if rank == 0:
        dist.barrier()  # expect: TL101


def second_half_under_another_flag(rank, dataset, prepare):
    # Without `prepare` the others wait in their barrier and rank 0 never comes: theirs is the one that hangs.
    if rank != 0:
        dist.barrier()  # expect: TL101
    dataset.prepare()
    if rank == 0 and prepare:
        dist.barrier()
