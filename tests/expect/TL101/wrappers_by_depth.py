"""The collective is one to four calls below the guard, all in this file; the place is the call under the guard."""

import torch
import torch.distributed as dist


def is_dist_avail_and_initialized():
    return dist.is_available() and dist.is_initialized()


def get_world_size():
    return dist.get_world_size() if is_dist_avail_and_initialized() else 1


def reduce_tensor(tensor):
    total = tensor.clone()
    dist.all_reduce(total)
    return total / get_world_size()


def reduce_dict(values):
    if get_world_size() < 2:
        return values
    names = sorted(values)
    stacked = reduce_tensor(torch.stack([values[name] for name in names]))
    return dict(zip(names, stacked))


def summarize(values, header):
    reduced = reduce_dict(values)
    return f"{header}: {reduced}"


def print_summary(values):
    print(summarize(values, "epoch"))


def one_deep(rank, loss):
    if rank == 0:
        loss = reduce_tensor(loss)  # expect: TL101
    return loss


def two_deep(rank, losses):
    if rank == 0:
        losses = reduce_dict(losses)  # expect: TL101
    return losses


def three_deep(rank, losses):
    if rank == 0:
        print(summarize(losses, "train"))  # expect: TL101


def four_deep(rank, losses):
    if rank == 0:
        print_summary(losses)  # expect: TL101


def guard_in_the_middle(losses):
    maybe_print(losses, dist.get_rank() == 0)


def maybe_print(losses, enabled):
    if enabled:
        print_summary(losses)  # expect: TL101
