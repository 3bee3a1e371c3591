"""Barriers that are split over two tests, around a loop of calls that have other collectives, or collectives for one side only."""

import torch.distributed as dist


def summed(args, tensor):
    if args.local_rank not in [-1, 0]:
        print("not the first")
    dist.all_reduce(tensor)
    return tensor


def around_others(args, tensors):
    if args.local_rank not in [-1, 0]:
        dist.barrier()
    parts = []
    for tensor in tensors:
        parts.append(summed(args, tensor))  # expect: TL101
    if args.local_rank == 0:
        dist.barrier()
    return parts


def around_one_side(args, tensors):
    if args.local_rank == 0:
        for tensor in tensors:
            summed(args, tensor)  # expect: TL101
    dist.barrier()


def cached(args, name):
    if args.local_rank not in [-1, 0]:
        dist.barrier()
    print(name)
    if args.local_rank == 0:
        dist.barrier()


def in_the_loop_of_one_rank(args, names):
    if dist.get_rank() != 0:
        dist.barrier()
    if dist.get_rank() == 0:
        for name in names:
            cached(args, name)  # expect: TL101
        dist.barrier()
