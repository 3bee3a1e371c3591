"""Where they meet says nothing of what one rank does, of what comes before it may be left, or of paths from out of sight."""

import json
import os

import torch
import torch.distributed as dist


def reduced(value, group=None):
    if group is not None:
        dist.all_reduce(value, group=group)
    return value


def averaged(value, every):
    if every:
        dist.all_reduce(value)
    return value


def total(value):
    dist.all_reduce(value)
    return value


def in_a_group(value, group, folder):
    """A part of the ranks may run this."""
    value = reduced(value, group)
    torch.save(value, os.path.join(folder.path, "value.pt"))


def in_some_cases(value, every, folder):
    value = averaged(value, every)
    torch.save(value, os.path.join(folder.path, "value.pt"))


def handed(value, path):
    """Whoever calls this has a path for each rank, for all anybody knows."""
    torch.save(total(value), path)


def guarded(value, folder):
    value = total(value)
    if dist.get_rank() == 0:
        write(value, os.path.join(folder.path, "value.json"))


def left(value, folder):
    value = total(value)
    if dist.get_rank() != 0:
        return
    write(value, os.path.join(folder.path, "value.json"))


def write(value, path):
    with open(path, "w") as file:
        json.dump(value, file)


class Report:
    def __init__(self, folder, rank):
        self.path = os.path.join(folder, f"report{rank}.json")

    def close(self, value):
        with open(self.path, "w") as file:
            json.dump(total(value).item(), file)


def either(value, folder, alone):
    if alone:
        torch.save(value, os.path.join(folder.path, "value.pt"))
        return
    total(value)
