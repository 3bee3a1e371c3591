"""A file that rank 0 makes while others may still ask for it: in a loop, in a ``with``, in a ``try``, before or behind a barrier."""

import json
import os

import torch
import torch.distributed as dist


def made_in_a_loop(folder, names, build):
    if not os.path.exists(folder):
        for name in names:
            if dist.get_rank() == 0:
                build(folder, name)
        dist.barrier()  # expect: TL103


def made_in_a_try(folder, build):
    if not os.path.exists(folder):
        try:
            if dist.get_rank() == 0:
                build(folder)
        finally:
            print("built")
        dist.barrier()  # expect: TL103


def made_under_another_test(folder, build, again):
    if not os.path.exists(folder):
        if again:
            if dist.get_rank() == 0:
                build(folder)
        dist.barrier()  # expect: TL103


def met_before_it_is_made(folder, build):
    if not os.path.exists(folder):
        dist.barrier()
        if dist.get_rank() == 0:
            build(folder)


def another_file_made(folder, build, other):
    if not os.path.exists(folder):
        if dist.get_rank() == 0:
            build(other)
        dist.barrier()


def made_by_all(folder, build):
    if not os.path.exists(folder):
        build(folder)
        dist.barrier()


def only_read(path):
    if os.path.exists(path):
        if dist.get_rank() == 0:
            print(torch.load(path))
        dist.barrier()


def in_the_other_arm(path, build):
    if os.path.exists(path):
        data = torch.load(path)
    else:
        data = None
        if dist.get_rank() == 0:
            build(path)
        dist.barrier()  # expect: TL103
    return data


def read_and_left(path, compute):
    if os.path.isfile(path):
        with open(path) as file:
            found = json.load(file)
        return found
    if dist.get_rank() == 0:
        with open(path, "w") as file:
            json.dump(compute(), file)
    dist.barrier()  # expect: TL103
    return None


def met_and_read(path, compute):
    dist.barrier()
    if os.path.isfile(path):
        with open(path) as file:
            return json.load(file)
    dist.barrier()
    return compute()


def answered_by_one(path, build):
    there = [os.path.exists(path)]
    dist.broadcast_object_list(there, src=0)
    if not there[0]:
        if dist.get_rank() == 0:
            build(path)
        dist.barrier()


def of_its_own(folder, build):
    path = os.path.join(folder, f"part{dist.get_rank()}.pt")
    if not os.path.exists(path):
        return
    dist.barrier()  # expect: TL103
