"""A rank's slice, range or chunk of something, and a collective in every round."""

import itertools
import math
import os

import numpy as np
import torch
import torch.distributed as dist


def every_nth(files, load):
    seen = 0
    for file in files[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        count = load(file)
        dist.all_reduce(count)
        seen += count
    return seen


def numbers(total, step):
    me, all_of_us = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    for i in range(me, total, all_of_us):  # expect: TL109
        step(i)
        dist.barrier()


def rounded_up(items, out):
    each = math.ceil(len(items) / dist.get_world_size())
    begin = dist.get_rank() * each
    for item in items[begin : begin + each]:  # expect: TL109
        dist.all_gather_object(out, item)


def rounded_up_with_integers(items, out):
    world = dist.get_world_size()
    each = (len(items) + world - 1) // world
    for item in items[dist.get_rank() * each : min((dist.get_rank() + 1) * each, len(items))]:  # expect: TL109
        dist.all_gather_object(out, item)


def the_rest_for_the_last(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    each = len(items) // world
    begin = rank * each
    end = len(items) if rank == world - 1 else begin + each
    for item in items[begin:end]:  # expect: TL109
        dist.all_gather_object(out, item)


def array_split(items, out):
    for item in np.array_split(items, dist.get_world_size())[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def chunks(count, out):
    mine = torch.arange(count).chunk(dist.get_world_size())[dist.get_rank()]
    for number in mine.tolist():  # expect: TL109
        dist.all_gather_object(out, number)


def comprehension(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = [item for number, item in enumerate(items) if number % world == rank]
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def filled(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    mine = []
    for number, item in enumerate(items):
        if number % world != rank:
            continue
        mine.append(item)
    for position in range(len(mine)):  # expect: TL109
        dist.all_gather_object(out, mine[position])


def dealt(items, out):
    hands = [[] for _ in range(dist.get_world_size())]
    for number, item in enumerate(items):
        hands[number % len(hands)].append(item)
    for item in hands[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def by_batches(items, embed):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for begin in range(0, len(mine), 64):  # expect: TL109
        dist.all_reduce(embed(mine[begin : begin + 64]))


def islice(stream, embed):
    for item in itertools.islice(stream, dist.get_rank(), None, dist.get_world_size()):  # expect: TL109
        dist.all_reduce(embed(item))


def cut_but_not_to_a_multiple(items, embed, limit):
    items = items[:limit]
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_reduce(embed(item))


def chunked(items, count):
    return [items[i::count] for i in range(count)]


def one_of_the_chunks(items, out):
    for item in chunked(items, dist.get_world_size())[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def shares(items, count):
    each, more = divmod(len(items), count)
    return list(items[i * each + min(i, more) : (i + 1) * each + min(i + 1, more)] for i in range(count))


def one_of_the_shares(items, out):
    mine = shares(items, dist.get_world_size())[dist.get_rank()]
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)
