"""What rank 0 found is sent to all where there are several ranks; where it is not sent, one process trains alone."""

import os

import torch
import torch.distributed as dist


def sent_from(options, thing, source=0):
    if options.rank == source:
        held = [thing]
    else:
        held = [None]
    dist.broadcast_object_list(held, src=source)
    return held[0]


def newest(folder):
    return max(os.listdir(folder), default=None)


def go_on(options, model):
    options.rank = dist.get_rank()
    start = None
    if options.rank == 0:
        start = newest(options.folder)
    if options.several:
        start = sent_from(options, start)
    options.start = start
    if options.start is not None:
        model.load_state_dict(torch.load(options.start, weights_only=True))
        dist.barrier()


def go_on_alone(options, model):
    rank = dist.get_rank()
    start = newest(options.folder) if rank == 0 else None
    if not options.several:
        print(start)
    else:
        start = sent_from(options, start)
    if start:
        total = torch.zeros(1)
        dist.all_reduce(total)
