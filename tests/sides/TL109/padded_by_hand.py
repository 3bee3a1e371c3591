"""Lists that are made longer before they are divided, and checks that stop the program when they cannot be divided."""

import math
import sys

import torch.distributed as dist


def padded_to_a_multiple(items, out):
    world = dist.get_world_size()
    total = -(-len(items) // world) * world
    items = items + items[: total - len(items)]
    for item in items[dist.get_rank() :: world]:
        dist.all_gather_object(out, item)


def padded_to_something_else(items, out):
    world = dist.get_world_size()
    total = len(items) + 3
    items = items + items[: total - len(items)]
    for item in items[dist.get_rank() :: world]:
        dist.all_gather_object(out, item)


def padded_to_what_is_unknown(items, out, total):
    items = items + items[: total() - len(items)]
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_gather_object(out, item)


def some_more(items, out, more):
    items = items + items[:more]
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def some_less_one(items, out, more):
    items = items + items[: more - 1]
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def as_many_as_the_labels(items, out, labels):
    items = items + items[: len(labels) - len(labels[0])]
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def and_one_by_its_name(items, out, last):
    items = items + items[last]
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def and_others(items, out, others):
    items = items + others
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def once_for_each_rank(items, out):
    items = items * dist.get_world_size()
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_gather_object(out, item)


def three_times(items, out):
    items = 3 * items
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def the_rest_is_an_error(items, out):
    world = dist.get_world_size()
    if len(items) % world != 0:
        sys.exit("not a multiple")
    for item in items[dist.get_rank() :: world]:
        dist.all_gather_object(out, item)


def the_rest_is_told(items, out):
    world = dist.get_world_size()
    if len(items) % world != 0:
        print("not a multiple")
    for item in items[dist.get_rank() :: world]:  # expect: TL109
        dist.all_gather_object(out, item)


def too_few_is_an_error(items, out):
    world = dist.get_world_size()
    if len(items) < 2 * world:
        raise ValueError("too few")
    for item in items[dist.get_rank() :: world]:  # expect: TL109
        dist.all_gather_object(out, item)


def only_if_there_is_no_rest(items, out):
    world = dist.get_world_size()
    if len(items) % world == 0:
        mine = items[dist.get_rank() :: world]
    else:
        raise ValueError("not a multiple")
    for item in mine:
        dist.all_gather_object(out, item)


def an_error_both_ways(items, out):
    world = dist.get_world_size()
    for item in items[dist.get_rank() :: world]:  # expect: TL109
        dist.all_gather_object(out, item)
    if len(items) % world == 0:
        raise StopIteration
    else:
        raise ValueError("not a multiple")


def a_rest_of_something_unknown(items, out, score):
    world = dist.get_world_size()
    if score(items, dist.get_rank()) % world:
        raise ValueError("not a multiple")
    for item in items[dist.get_rank() :: world]:
        dist.all_gather_object(out, item)


def rounded_up_in_words(items, out):
    world = dist.get_world_size()
    each = math.ceil(len(items) / world)
    while len(items) < each * world:
        items = items + [items[0]]
    for item in items[dist.get_rank() :: world]:
        dist.all_gather_object(out, item)


def said_to_be_equal(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]  # trainlint: uniform, a multiple of eight
    for item in mine:
        dist.all_gather_object(out, item)


def said_to_be_different(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]  # trainlint: per-rank, sorted by length
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def from_a_file_of_the_rank(out, read):
    for item in read(f"part-{dist.get_rank()}.txt"):
        dist.all_gather_object(out, item)


def from_a_share_told_to_a_library(out, shares):
    for item in shares.of(number=dist.get_world_size() - 1):
        dist.all_gather_object(out, item)


def of_what_a_call_makes_of_the_part(out, clean, items):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    mine.sort(key=clean)
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def taken_out_of_the_part(out, items):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    mine.pop()
    for item in mine:
        dist.all_gather_object(out, item)


def one_of_two_parts(out, items, odd):
    world = dist.get_world_size()
    mine = items[1 + dist.get_rank() :: world] if odd else items[dist.get_rank() :: world]
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)
