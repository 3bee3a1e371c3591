"""A file is read in a try; in the handler some ranks make it, while others find it on their next look."""

import os

import torch
import torch.distributed as dist


def build(path):
    torch.save({}, path)


def count(path):
    return len(path)


def made_by_the_first(path):
    try:
        found = torch.load(path)
    except FileNotFoundError:
        if dist.get_rank() == 0:
            build(path)
        dist.barrier()  # expect: TL103
        found = torch.load(path)
    return found


def made_by_all(path):
    try:
        found = torch.load(path)
    except FileNotFoundError:
        build(path)
        dist.barrier()
        found = torch.load(path)
    return found


def another_made_by_the_first(path, other):
    try:
        found = torch.load(path)
    except FileNotFoundError:
        if dist.get_rank() == 0:
            build(other)
        dist.barrier()
        found = None
    return found


def made_under_a_setting(path, again):
    try:
        found = torch.load(path)
    except FileNotFoundError:
        if again:
            build(path)
        dist.barrier()
        found = None
    return found


def made_by_the_others(path):
    try:
        found = torch.load(path)
    except FileNotFoundError:
        if dist.get_rank() != 0:
            print("waiting")
        else:
            build(path)
        dist.barrier()  # expect: TL103
        found = torch.load(path)
    return found


def made_by_the_first_behind_a_barrier(path):
    try:
        found = torch.load(path)
    except FileNotFoundError:
        found = None
    dist.barrier()
    if found is None and dist.get_rank() == 0:
        build(path)
    return found


def made_before_it_is_read(path):
    if dist.get_rank() == 0:
        build(path)
    dist.barrier()
    return torch.load(path)
