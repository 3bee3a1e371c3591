"""The functions in the dict keep to one rank themselves, name their files after the rank, or are run by one rank."""

import functools
import os

import torch
import torch.distributed as dist


def first_only(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)
        return None

    return wrapped


@first_only
def save_state(thing, path):
    torch.save(thing.state_dict(), path)


def save_part(thing, path):
    torch.save(thing.state_dict(), f"{path}.{dist.get_rank()}")


def save_whole(thing, path):
    torch.save(thing, path)


def load_state(thing, path):
    thing.load_state_dict(torch.load(path))


HOOKS = {torch.nn.Module: save_state, torch.optim.Optimizer: save_part}
WHOLE = {torch.nn.Module: save_whole}
LOAD = {torch.nn.Module: load_state}


def fitting(thing, hooks):
    for cls in type(thing).__mro__:
        if cls in hooks:
            return hooks[cls]
    return None


class Checkpoints:
    def __init__(self, folder, things):
        self.folder = folder
        self.things = things

    def save(self):
        for name, thing in self.things.items():
            hook = fitting(thing, HOOKS)
            hook(thing, os.path.join(self.folder, name))
            if dist.get_rank() == 0:
                whole = fitting(thing, WHOLE)
                whole(thing, os.path.join(self.folder, name + ".whole"))
            dist.barrier()
            load = fitting(thing, LOAD)
            load(thing, os.path.join(self.folder, name))


def main(args, model):
    dist.init_process_group("nccl")
    Checkpoints(args.folder, {"model": model}).save()
