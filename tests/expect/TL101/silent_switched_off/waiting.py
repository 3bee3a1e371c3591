"""Waiting that can be switched off for a while."""

from contextlib import contextmanager

import torch.distributed as dist

_ALONE = False


@contextmanager
def alone():
    global _ALONE
    _ALONE = True
    try:
        yield
    finally:
        _ALONE = False


class Alone:
    def __enter__(self):
        global _ALONE
        _ALONE = True

    def __exit__(self, *problem):
        global _ALONE
        _ALONE = False


def is_alone():
    return _ALONE or not dist.is_initialized()


def wait():
    if is_alone():
        return
    dist.barrier()
