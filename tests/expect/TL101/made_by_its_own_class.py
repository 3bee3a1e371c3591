"""A class method makes an object, and the constructor communicates."""

import torch.distributed as dist


class Gate:
    def __init__(self):
        dist.barrier()

    @classmethod
    def make(cls):
        return cls()

    @classmethod
    def kept(cls):
        gate = cls()
        return gate


class Narrow(Gate):
    pass


def on_one():
    if dist.get_rank() == 0:
        Gate.make()  # expect: TL101


def kept_by_one():
    if dist.get_rank() == 0:
        return Narrow.kept()  # expect: TL101
    return None


def on_all():
    gate = Gate.make()
    if dist.get_rank() == 0:
        print(gate)
