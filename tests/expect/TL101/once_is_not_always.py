"""Branches that look like those that make what is missing, and are run every time."""

import torch.distributed as dist

STATE = {}


def parameter_left_out(tensor, group=None):
    if group is None:
        group = dist.new_group()
    return group


def leaves_it_out(tensor):
    if dist.get_rank() == 0:
        parameter_left_out(tensor)  # expect: TL108


def other_place(tensor, best):
    if dist.get_rank() == 0 and STATE.get("best") is None:
        dist.all_reduce(tensor)  # expect: TL101
        STATE["best"] = tensor


def made_by_one(tensor):
    if dist.get_rank() == 0:
        STATE["group"] = dist.new_group()  # expect: TL108
