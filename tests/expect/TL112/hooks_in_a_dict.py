"""Functions that save things of a class stand in a dict, and an object that all ranks have runs the one that fits."""

import os
import pickle

import torch
import torch.distributed as dist


def save_state(thing, path):
    torch.save(thing.state_dict(), path)  # expect: TL112


def save_counter(thing, path):
    with open(path, "wb") as file:  # expect: TL112
        pickle.dump(thing, file)


HOOKS = {
    torch.nn.Module: save_state,
    torch.optim.Optimizer: save_state,
    list: save_counter,
}


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
            if hook is not None:
                hook(thing, os.path.join(self.folder, name + ".ckpt"))


def main(args, model, optimizer, fit):
    dist.init_process_group("nccl")
    fit(model, optimizer)
    Checkpoints(args.folder, {"model": model, "optimizer": optimizer}).save()
