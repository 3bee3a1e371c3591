"""Loops that count from or up to a number of the rank, and go round equally often; or do not wait; or ranks met over the number."""

import torch
import torch.distributed as dist


# Ranks met over the number.
def told(start, epochs, tensor):
    epoch = torch.zeros(1)
    if dist.get_rank() == 0:
        epoch += start
    dist.broadcast(epoch, 0)
    while epoch < epochs:
        dist.all_reduce(tensor)
        epoch += 1


def told_as_an_object(path, epochs, tensor):
    box = [0]
    if dist.get_rank() == 0:
        box = [torch.load(path)["epoch"]]
    dist.broadcast_object_list(box, 0)
    epoch = box[0]
    while epoch < epochs:
        dist.all_reduce(tensor)
        epoch += 1


def epoch_of(path):
    if dist.get_rank() != 0:
        return 0
    return torch.load(path)["epoch"]


def agreed(value):
    box = [value]
    dist.broadcast_object_list(box)
    return box[0]


def told_by_a_function(path, epochs, tensor):
    for _ in range(agreed(epoch_of(path)), epochs):
        dist.all_reduce(tensor)


def told_as_a_tensor(path, epochs, tensor):
    start = torch.tensor(epoch_of(path))
    dist.broadcast(start, 0)
    epoch = start.item()
    while epoch < epochs:
        dist.all_reduce(tensor)
        epoch += 1


def the_largest(path, epochs, tensor):
    start = torch.zeros(1)
    if dist.get_rank() == 0:
        start[0] = torch.load(path)["epoch"]
    dist.all_reduce(start, op=dist.ReduceOp.MAX)
    for _ in range(int(start.item()), epochs):
        dist.all_reduce(tensor)


def told_by_a_library(comm, path, epochs, tensor):
    start = 0
    if dist.get_rank() == 0:
        start = torch.load(path)["epoch"]
    start = comm.bcast(start, root=0)
    while start < epochs:
        dist.all_reduce(tensor)
        start += 1


# Each rank has another number, and both ends of its part are of the rank.
def blocks(items, tensor):
    size = len(items) // dist.get_world_size()
    index = dist.get_rank() * size
    end = index + size
    while index < end:
        dist.all_reduce(tensor)
        index += 1


def padded(items, tensor):
    index = dist.get_rank()
    world = dist.get_world_size()
    total = (len(items) + world - 1) // world * world
    while index < total:
        dist.all_reduce(tensor)
        index += world


def a_multiple(count, tensor):
    index = dist.get_rank()
    world = dist.get_world_size()
    while index < count * world:
        dist.all_reduce(tensor)
        index += world


# One unknown number here, another there: they may be equal.
def from_two_files(path, other, epochs, tensor):
    if dist.get_rank() == 0:
        epoch = torch.load(path)["epoch"]
    else:
        epoch = torch.load(other)["epoch"]
    while epoch < epochs:
        dist.all_reduce(tensor)
        epoch += 1


# Nothing waits in there, or the number of rounds has nothing to do with the rank.
def nobody_waits(start, files, write):
    done = 0
    if dist.get_rank() == 0:
        done = start
    while done < len(files):
        write(files[done])
        done += 1
    dist.barrier()


def shown_by_one(start, epochs, tensor):
    epoch = start
    shown = 0
    while epoch < epochs:
        if dist.get_rank() == 0:
            shown += 1
            print(shown)
        dist.all_reduce(tensor)
        epoch += 1


def until_agreed(better, tensor):
    stop = torch.zeros(1)
    while not stop:
        if dist.get_rank() == 0 and better():
            stop.fill_(1)
        dist.broadcast(stop, 0)
        dist.all_reduce(tensor)
