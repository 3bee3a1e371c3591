# A `return` inside of a `with` runs what stands behind the `yield`, too: the second half of a split barrier.
from contextlib import contextmanager

import torch.distributed as dist


@contextmanager
def main_first():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


def prepare():
    for _ in range(2):
        with main_first():
            if dist.get_rank() == 0:
                continue
            print("cached")


def build():
    with main_first():
        if dist.get_rank() == 0:
            return
        print("cached")


build()
prepare()
