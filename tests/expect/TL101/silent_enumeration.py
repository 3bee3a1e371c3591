"""A test on the rank and a test of a kind that only comes with its other half: which member it is decides both."""

from enum import Enum, IntEnum, auto

import torch.distributed as dist


class Kind(Enum):
    SHARDS = auto()
    WHOLE = auto()
    MEMORY = auto()


class Level(IntEnum):
    NONE = auto()
    ALL = auto()


def save(state, path, kind: Kind):
    if kind != Kind.SHARDS or dist.get_rank() == 0:
        state = {key: value.cpu() for key, value in state.items()}
        if kind == Kind.WHOLE:
            dist.barrier()
        elif kind is Kind.MEMORY:
            dist.all_reduce(state["step"])
    return state


def log(values, level):
    if level is not Level.NONE or dist.get_rank() == 0:
        print(values)
        if level == Level.ALL:
            dist.barrier()
