"""One's own `get_rank()`, in the forms it is written in: with a fallback, remembered, behind an import that may fail."""

import functools
import os

import torch.distributed as dist

try:
    from somewhere.comm import get_rank
except ImportError:

    def get_rank():
        return dist.get_rank() if dist.is_initialized() else 0


try:
    import torch.distributed as maybe_dist
except ImportError:
    maybe_dist = None

_CACHED = None


def by_expression():
    return 0 if not dist.is_initialized() else dist.get_rank()


def by_exception():
    try:
        return dist.get_rank()
    except RuntimeError:
        return 0


@functools.lru_cache(maxsize=None)
def remembered():
    return int(os.environ.get("RANK", 0))


@functools.cache
def remembered_too():
    if dist.is_available() and dist.is_initialized():
        return dist.get_rank()
    return 0


def kept_in_a_global():
    global _CACHED
    if _CACHED is None:
        _CACHED = dist.get_rank()
    return _CACHED


def guarded_import():
    if maybe_dist is None:
        return 0
    return maybe_dist.get_rank()


def of_some_group(group=None):
    if not dist.is_initialized():
        return 0
    return dist.get_rank(group=group)


def expression(tensor):
    if by_expression() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def exception(tensor):
    if by_exception() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def memory(tensor):
    if remembered() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def memory_too(tensor):
    if not remembered_too():
        dist.all_reduce(tensor)  # expect: TL101


def global_memory(tensor):
    if kept_in_a_global() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def fallback_definition(tensor):
    if get_rank() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def guarded(tensor):
    if guarded_import() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def default_group(tensor):
    if of_some_group() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def inner_group(tensor, group):
    if of_some_group(group) == 0:
        dist.all_reduce(tensor, group=group)


def everybody(tensor):
    if by_expression() >= 0:
        dist.all_reduce(tensor)


def all_but_nobody(tensor):
    if remembered() != -1:
        dist.all_reduce(tensor)


def print_only(tensor):
    if kept_in_a_global() == 0:
        print("reducing")
    dist.all_reduce(tensor)
