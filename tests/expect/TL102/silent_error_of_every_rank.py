"""Where something is missing the main process says so by an assertion that cannot hold, and the others end: all of them end."""

import sys

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Shelf(dict):
    def fetch(self, name):
        if name not in self:
            if dist.get_rank() == 0:
                assert name in self, f"no {name} among {sorted(self)}"
            else:
                sys.exit(1)
        return self[name]

    def other(self, name, known):
        if known:
            return self[name]
        else:
            if dist.get_rank() == 0:
                assert known, name
            else:
                sys.exit(1)


MODELS = Shelf()


def build(name):
    model = MODELS.fetch(name)()
    return DistributedDataParallel(model)


def rebuild(name, known):
    model = MODELS.other(name, known)
    return DistributedDataParallel(model)
