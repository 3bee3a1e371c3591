"""`is_master(args)` and `is_primary(args, local=…)`: predicates that read the rank out of their argument."""

import torch.distributed as dist


def is_global_primary(args):
    return args.rank == 0


def is_local_primary(args):
    return args.local_rank == 0


def is_primary(args, local=False):
    return is_local_primary(args) if local else is_global_primary(args)


def is_master(args):
    return (not args.distributed) or args.rank == 0


def zero_shot(args, top1):
    if is_primary(args):
        dist.all_reduce(top1)  # expect: TL101
    return top1


def zero_shot_local(args, top1):
    if is_primary(args, local=True):
        dist.all_reduce(top1)  # expect: TL101
    return top1


def linear_probe(options, top1):
    if is_master(options):
        dist.all_reduce(top1)  # expect: TL101
    return top1
