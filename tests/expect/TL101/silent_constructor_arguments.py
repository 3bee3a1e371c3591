"""An object that communicates or not, as its constructor was told; it is made in many places."""

import tempfile

import torch.distributed as dist


class SharedFolder(tempfile.TemporaryDirectory):
    def __init__(self, name, sync=True):
        super().__init__(name)
        self.sync = sync

    def __enter__(self):
        path = super().__enter__()
        if self.sync:
            dist.barrier()
        return path


def one(name):
    with SharedFolder(name):
        print(name)


def two(name):
    with SharedFolder(name, sync=True) as path:
        print(path)


def three(name, sync):
    with SharedFolder(name, sync) as path:
        print(path)


def four(name):
    with SharedFolder(name + "4"):
        print(name)


def five(name):
    with SharedFolder(name + "5"):
        print(name)


def six(name):
    with SharedFolder(name + "6"):
        print(name)


def seven(name):
    with SharedFolder(name + "7"):
        print(name)


def on_one_rank(name):
    if dist.get_rank() == 0:
        with SharedFolder(name, sync=False):
            yield name
    else:
        yield name


def on_one_rank_again(name):
    if dist.get_rank() == 0:
        with SharedFolder(name, sync=False) as path:
            print(path)
