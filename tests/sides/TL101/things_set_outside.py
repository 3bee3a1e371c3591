"""What one function sets in a thing that another one asks: the same thing, another one of its kind, or another kind of thing."""

import argparse
import types

import torch.distributed as dist


class Box:
    def __init__(self, size):
        self.size = size
        self.first = False


class Crate:
    def __init__(self, size):
        self.size = size
        self.first = False


class LargeBox(Box):
    pass


def fill(box):
    box.first = dist.get_rank() == 0


def this_box():
    box = Box(1)
    fill(box)
    if box.first:
        dist.barrier()  # expect: TL101


def another_box():
    box, other = Box(1), Box(2)
    fill(box)
    if other.first:
        dist.barrier()


def crate():
    box = Crate(1)
    if box.first:
        dist.barrier()


def fill_large(box):
    box.size = dist.get_rank()


def large_box():
    box = LargeBox(1)
    fill_large(box)
    if box.size:
        dist.barrier()  # expect: TL101


def parsed():
    args = argparse.ArgumentParser().parse_args()
    mark(args)
    if args.marked:
        dist.barrier()  # expect: TL101


def mark(args):
    args.marked = dist.get_rank() == 0


def parsed_elsewhere():
    args = argparse.ArgumentParser().parse_args()
    if args.marked:
        dist.barrier()


def namespace():
    names = types.SimpleNamespace(size=1)
    names.leader = dist.get_rank() == 0
    if names.leader:
        dist.barrier()  # expect: TL101


def two_namespaces():
    names, others = types.SimpleNamespace(size=1), types.SimpleNamespace(size=2)
    names.leader = dist.get_rank() == 0
    if others.leader:
        dist.barrier()


def put(state):
    state["stop"] = dist.get_rank() == 0
    state["count"] = dist.get_world_size()


def in_a_dict():
    state = {"stop": False, "count": 0}
    put(state)
    if state["stop"]:
        dist.barrier()  # expect: TL101


def in_a_dict_alike():
    state = {"stop": False, "count": 0}
    put(state)
    if state["count"]:
        dist.barrier()


def in_another_dict():
    state, other = {"stop": False}, {"stop": False}
    put(state)
    if other["stop"]:
        dist.barrier()


def around():
    done = False

    def finish():
        nonlocal done
        done = dist.get_rank() == 0

    finish()
    if done:
        dist.barrier()  # expect: TL101


def around_alike(args):
    done = False

    def finish():
        nonlocal done
        done = args.steps > 3

    finish()
    if done:
        dist.barrier()
