"""A decision of one rank that the others are not told, or are told too late."""

import torch
import torch.distributed as dist


def decided_alone(found):
    stop = dist.get_rank() == 0 and found
    if stop:
        return
    dist.barrier()  # expect: TL102


def told_too_late(found):
    stop = dist.get_rank() == 0 and found
    if stop:
        return
    holder = [stop]
    dist.broadcast_object_list(holder, src=0)  # expect: TL102


def leaves_the_loop(loader, patience):
    for batch in loader:
        if dist.get_rank() == 0 and patience.over():
            break
        dist.all_reduce(batch)  # expect: TL102


def told_in_time(found):
    holder = [dist.get_rank() == 0 and found]
    dist.broadcast_object_list(holder, src=0)
    if holder[0]:
        return
    dist.barrier()


def told_by_a_tensor(loader, patience):
    for batch in loader:
        stop = torch.tensor(float(dist.get_rank() == 0 and patience.over()))
        dist.all_reduce(stop)
        if stop.item() > 0:
            break
        dist.all_reduce(batch)


def decided_by_all(found):
    if found:
        return
    dist.barrier()
