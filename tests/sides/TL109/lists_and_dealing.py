"""Lists that are filled, dealt, joined and cut in further ways; ranges and slices with strides; what a generator leaves out."""

import itertools

import torch.distributed as dist
from torch.utils.data import RandomSampler, SequentialSampler


def dealt_round_by_round(items, out):
    world = dist.get_world_size()
    parts = [[] for _ in range(world)]
    for number, item in enumerate(items):
        parts[number % world].append(item)
    for item in parts[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def everything_dealt_to_each(items, out):
    world = dist.get_world_size()
    parts = [[] for _ in range(world)]
    for part in parts:
        part.append(items[0])
    for item in parts[0]:
        dist.all_gather_object(out, item)


def dealt_until_it_is_enough(items, out, enough):
    world = dist.get_world_size()
    parts = [[] for _ in range(world)]
    for number, item in enumerate(items):
        if enough(parts):
            break
        parts[number % world].append(item)
    for item in parts[dist.get_rank()]:
        dist.all_gather_object(out, item)


def a_range_along_with_a_step(items, out):
    for number in range(0, len(items), 4):
        dist.all_gather_object(out, items[number])


def a_range_downwards(items, out):
    for number in range(len(items), dist.get_rank(), -1):  # expect: TL109
        dist.all_gather_object(out, number)


def a_range_downwards_for_all(items, out):
    for number in range(len(items), 0, -1):
        dist.all_gather_object(out, number)


def a_range_as_told(out, bounds):
    for number in range(*bounds):
        dist.all_gather_object(out, number)


def a_stride_of_another_size(items, out):
    for item in items[dist.get_rank() :: 3]:
        dist.all_gather_object(out, item)


def a_stride_of_twice_the_world(items, out):
    for item in items[dist.get_rank() :: 2 * dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def a_stride_up_to_a_whole_total(items, out):
    world = dist.get_world_size()
    total = len(items) // world * world
    for item in items[dist.get_rank() : total : world]:
        dist.all_gather_object(out, item)


def a_stride_up_to_the_length(items, out):
    world = dist.get_world_size()
    for item in items[dist.get_rank() : len(items) : world]:  # expect: TL109
        dist.all_gather_object(out, item)


def islice_as_many_for_all(items, out, count):
    for item in itertools.islice(items, count):
        dist.all_gather_object(out, item)


def islice_as_many_as_the_rank(items, out):
    for item in itertools.islice(items, dist.get_rank() * 10):  # expect: TL109
        dist.all_gather_object(out, item)


def islice_with_a_stride(items, out):
    for item in itertools.islice(items, dist.get_rank(), None, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, item)


def islice_with_a_stop_and_a_stride(items, out):
    for item in itertools.islice(items, dist.get_rank(), len(items), dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, item)


def islice_of_what_never_ends(out):
    for number in itertools.islice(itertools.count(), dist.get_rank(), None, dist.get_world_size()):
        dist.all_gather_object(out, number)


def islice_from_the_rank_on(items, out):
    for item in itertools.islice(items, dist.get_rank(), None):  # expect: TL109
        dist.all_gather_object(out, item)


def side_by_side(items, names, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item, name in zip(mine, mine):  # expect: TL109
        dist.all_gather_object(out, (item, name))


def side_by_side_with_a_few(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item, name in zip(mine, ["a", "b", "c"]):
        dist.all_gather_object(out, (item, name))


def one_after_the_other(items, names, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    for item in itertools.chain(items[rank::world], names):  # expect: TL109
        dist.all_gather_object(out, item)


def one_after_the_other_for_all(items, names, out):
    for item in itertools.chain(items, names):
        dist.all_gather_object(out, item)


def in_an_order(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for number in SequentialSampler(mine):  # expect: TL109
        dist.all_gather_object(out, number)


def in_chance_order(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for number in RandomSampler(mine):  # expect: TL109
        dist.all_gather_object(out, number)


def as_many_as_told_in_chance_order(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for number in RandomSampler(mine, replacement=True, num_samples=100):
        dist.all_gather_object(out, number)


def as_many_as_there_are_in_chance_order(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for number in RandomSampler(mine, replacement=True, num_samples=None):  # expect: TL109
        dist.all_gather_object(out, number)


def one_taken_out(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    mine.remove(items[0])
    for item in mine:
        dist.all_gather_object(out, item)


def all_counted(items, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    print(mine.count(items[0]))
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def twice_as_many(items, out):
    for item in items[dist.get_rank() :: dist.get_world_size()] * 2:  # expect: TL109
        dist.all_gather_object(out, item)


def twice_as_many_the_other_way(items, out):
    for item in 2 * items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def this_or_that_part(items, names, out, by_name):
    rank, world = dist.get_rank(), dist.get_world_size()
    for item in names[rank::world] if by_name else items[rank::world]:  # expect: TL109
        dist.all_gather_object(out, item)


def this_or_that_for_all(items, names, out, by_name):
    for item in names if by_name else items:
        dist.all_gather_object(out, item)


def this_or_that_as_the_table_says(items, names, out, table):
    for item in names if table[dist.get_rank()] else items:
        dist.all_gather_object(out, item)


def rows_of_a_table(table, out):
    for row in table[dist.get_rank() :: dist.get_world_size(), :]:  # expect: TL109
        dist.all_gather_object(out, row)
