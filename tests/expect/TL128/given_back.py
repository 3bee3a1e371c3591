"""A function gives its request back: who called it waits, or does not."""

import torch
import torch.distributed as dist


def begin(flat):
    return dist.all_reduce(flat, async_op=True)  # expect: TL128


def average(grads, size):
    flat = torch.cat([grad.view(-1) for grad in grads])
    request = begin(flat)
    flat.div_(size)
    request.wait()
    return flat


def begin_properly(flat):
    return dist.all_reduce(flat, async_op=True)


def average_properly(grads, size):
    flat = torch.cat([grad.view(-1) for grad in grads])
    request = begin_properly(flat)
    request.wait()
    flat.div_(size)
    return flat
