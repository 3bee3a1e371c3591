"""A rank's items, handed on by functions of the standard library and of others."""

import itertools

import numpy as np
import torch
import torch.distributed as dist
from tqdm import tqdm, trange


def every_nth_of_a_stream(stream, out):
    for item in itertools.islice(stream, dist.get_rank(), None, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, item)


def so_many_of_a_stream(stream, out, limit):
    for item in itertools.islice(stream, limit):
        dist.all_gather_object(out, item)


def so_many_of_a_part(items, out, limit):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in itertools.islice(mine, 0, limit):
        dist.all_gather_object(out, item)


def more_on_higher_ranks(stream, out):
    for item in itertools.islice(stream, 10 + dist.get_rank()):  # expect: TL109
        dist.all_gather_object(out, item)


def all_but_the_first_of_a_part(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in itertools.islice(mine, 1, None):  # expect: TL109
        dist.all_gather_object(out, item)


def all_but_some_of_a_part(items, out, skipped):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in itertools.islice(mine, skipped(), None):  # expect: TL109
        dist.all_gather_object(out, item)


def with_a_step_of_none(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in itertools.islice(mine, None, None, None):  # expect: TL109
        dist.all_gather_object(out, item)


def a_stride_that_is_no_multiple(stream, out):
    for item in itertools.islice(stream, dist.get_rank(), None, 3):
        dist.all_gather_object(out, item)


def a_stride_of_twice_the_ranks(stream, out):
    for item in itertools.islice(stream, dist.get_rank(), None, 2 * dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, item)


def every_nth_of_an_endless_stream(out, steps):
    numbers = itertools.islice(itertools.count(), dist.get_rank(), None, dist.get_world_size())
    for _, number in zip(range(steps), numbers):
        dist.all_gather_object(out, number)


def together_with_a_part(items, out, labels):
    for item, label in zip(items[dist.get_rank() :: dist.get_world_size()], labels):  # expect: TL109
        dist.all_gather_object(out, (item, label))


def together_with_something_short(items, out):
    for item, label in zip(items[dist.get_rank() :: dist.get_world_size()], ("a", "b")):
        dist.all_gather_object(out, (item, label))


def together_with_something_unknown(items, out, labels):
    for item, label in zip(items[dist.get_rank() :: dist.get_world_size()], labels(dist.get_rank())):
        dist.all_gather_object(out, (item, label))


def a_part_behind_all(items, out):
    for item in itertools.chain(items, items[dist.get_rank() :: dist.get_world_size()]):  # expect: TL109
        dist.all_gather_object(out, item)


def all_twice(items, out):
    for item in itertools.chain(items, items):
        dist.all_gather_object(out, item)


def something_unknown_behind_a_part(items, out, more):
    for item in itertools.chain(items[dist.get_rank() :: dist.get_world_size()], more(dist.get_rank())):
        dist.all_gather_object(out, item)


def mapped(items, out, load):
    for item in map(load, items[dist.get_rank() :: dist.get_world_size()]):  # expect: TL109
        dist.all_gather_object(out, item)


def mapped_over_all(items, out, load):
    for item in map(load, items):
        dist.all_gather_object(out, item)


def with_a_bar(items, out):
    for item in tqdm(iterable=items[dist.get_rank() :: dist.get_world_size()], desc="items"):  # expect: TL109
        dist.all_gather_object(out, item)


def with_a_bar_by_hand(items, out, steps):
    bar = tqdm(total=steps)
    for item in items:
        dist.all_gather_object(out, item)
        bar.update()


def a_range_with_a_bar(items, out):
    for number in trange(dist.get_rank(), len(items), dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, items[number])


def a_range_of_what_is_unknown(out, bounds):
    for number in range(*bounds(dist.get_rank())):
        dist.all_gather_object(out, number)


def downwards(items, out):
    for number in range(len(items) - 1 - dist.get_rank(), -1, -dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, items[number])


def batches_of_all(items, out):
    for begin in range(0, len(items), 16):
        dist.all_gather_object(out, items[begin : begin + 16])


def batches_of_a_part_backwards(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for begin in range(len(mine), 0, -16):  # expect: TL109
        dist.all_gather_object(out, mine[begin - 16 : begin])


def a_chance_order_of_a_count(items, out):
    each = len(items) // dist.get_world_size()
    for number in torch.randperm(each + dist.get_rank()):  # expect: TL109
        dist.all_gather_object(out, number)


def a_chance_order_of_all(items, out):
    for number in torch.randperm(len(items)):
        dist.all_gather_object(out, number)


def a_chance_order_of_a_sum(items, out):
    for number in np.random.permutation(len(items) // dist.get_world_size() + dist.get_rank()):  # expect: TL109
        dist.all_gather_object(out, number)


def a_chance_order_of_joined_lists(items, out, more):
    for item in np.random.permutation(items[dist.get_rank() :: dist.get_world_size()] + more):  # expect: TL109
        dist.all_gather_object(out, item)


def by_the_names_of_a_table(table, out):
    mine = {name: table[name] for name in sorted(table)[dist.get_rank() :: dist.get_world_size()]}
    for name in mine.keys():  # expect: TL109
        dist.all_gather_object(out, name)


def through_tensors(items, out):
    mine = torch.tensor(items)[dist.get_rank() :: dist.get_world_size()].clone().cpu().numpy()
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def through_what_is_unknown(items, out, keep):
    for item in keep(items[dist.get_rank() :: dist.get_world_size()]):
        dist.all_gather_object(out, item)
