"""The number of rounds depends on a test, on what a function returns, or on what an object keeps."""

import os

import torch
import torch.distributed as dist
from torch.utils.data import Dataset


def per_rank(items):
    return len(items) // dist.get_world_size()


def what_a_function_returns_for_all(items, out):
    for number in range(per_rank(items)):
        dist.all_gather_object(out, number)


def what_a_function_returns_and_one_more(items, out):
    for number in range(per_rank(items) + (dist.get_rank() == 0)):  # expect: TL109
        dist.all_gather_object(out, number)


def known_bounds(out):
    bounds = [10, 20]
    limit = dist.get_world_size() * 8 if bounds is not None else 30
    for number in range(dist.get_rank(), limit, dist.get_world_size()):
        dist.all_gather_object(out, number)


def no_bounds(out):
    bounds = [10, 20]
    limit = dist.get_world_size() * 8 if bounds is None else 30
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, number)


class Window:
    def __init__(self, first):
        self.first = first


def known_window(out, first):
    window = Window(first)
    limit = dist.get_world_size() * 8 if window is not None else 30
    for number in range(dist.get_rank(), limit, dist.get_world_size()):
        dist.all_gather_object(out, number)


def no_window(out, first):
    window = Window(first)
    limit = dist.get_world_size() * 8 if window is None else 30
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, number)


def perhaps_a_window(out, window):
    limit = dist.get_world_size() * 8 if window is None else 30
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, number)


def whole_rounds_with_or_without_a_window(out, window):
    limit = dist.get_world_size() * 8 if window is None else dist.get_world_size() * 4
    for number in range(dist.get_rank(), limit, dist.get_world_size()):
        dist.all_gather_object(out, number)


def compared_with_a_text(items, out, mode):
    limit = len(items) if mode == "train" else per_rank(items) * dist.get_world_size()
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, items[number])


def compared_with_a_text_for_whole_rounds(items, out, mode):
    limit = per_rank(items) * dist.get_world_size()
    limit = limit * 2 if mode == "train" else limit
    for number in range(dist.get_rank(), limit, dist.get_world_size()):
        dist.all_gather_object(out, items[number])


def compared_with_what_is_asked(items, out, probe):
    limit = len(items) if probe > 3 else 30
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, items[number])


def one_more_round_where_something_is_left(items, out):
    rest = len(items) % dist.get_world_size()
    count = per_rank(items) + 1 if rest else per_rank(items)
    for number in range(count):
        dist.all_gather_object(out, number)


def one_more_round_where_nothing_is_left(items, out):
    rest = len(items) % dist.get_world_size()
    count = per_rank(items) + 1 if not rest else per_rank(items)
    for number in range(count):
        dist.all_gather_object(out, number)


def one_more_round_for_odd_ranks(items, out):
    count = per_rank(items) + 1 if dist.get_rank() % 2 else per_rank(items)
    for number in range(count):  # expect: TL109
        dist.all_gather_object(out, number)


def one_more_round_for_even_ranks(items, out):
    count = per_rank(items) + 1 if not dist.get_rank() % 2 else per_rank(items)
    for number in range(count):  # expect: TL109
        dist.all_gather_object(out, number)


def one_more_round_if_the_rest_is_for_this_rank(items, out):
    rest = len(items) % dist.get_world_size()
    count = per_rank(items) + 1 if rest and dist.get_rank() < rest else per_rank(items)
    for number in range(count):  # expect: TL109
        dist.all_gather_object(out, number)


def one_more_round_if_all_like_to(items, out, eager, patient):
    count = per_rank(items) + 1 if eager and not patient else per_rank(items)
    for number in range(count):
        dist.all_gather_object(out, number)


def as_the_table_says(items, out, table):
    count = per_rank(items) + 1 if table[dist.get_rank()] else per_rank(items)
    for number in range(count):
        dist.all_gather_object(out, number)


def as_the_table_does_not_say(items, out, table):
    count = per_rank(items) + 1 if not table[dist.get_rank()] else per_rank(items)
    for number in range(count):
        dist.all_gather_object(out, number)


def a_row_along_some_axis(table, out, axis):
    for row in range(dist.get_rank(), table.shape[axis], dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, row)


def as_many_as_the_tensor_has(table, out):
    for row in range(dist.get_rank(), table.size(0), dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, row)


def one_of_three_limits(items, out, short, middle):
    limit = 30 if short else 60 if middle else 90
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, items[number])


class CountedElsewhere(torch.nn.Module):
    def rounds(self, out):
        for number in range(dist.get_rank(), self.limit, dist.get_world_size()):
            dist.all_gather_object(out, number)


class CountedHere(torch.nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def rounds(self, out):
        for number in range(dist.get_rank(), self.limit, dist.get_world_size()):  # expect: TL109
            dist.all_gather_object(out, number)


def counted(out):
    CountedElsewhere().rounds(out)
    CountedHere(1001).rounds(out)


def a_number_of_the_machine(out):
    for number in range(os.cpu_count() // dist.get_world_size()):
        dist.all_gather_object(out, number)


def the_longest_of_all(lengths, out):
    for number in range(max(lengths)):
        dist.all_gather_object(out, number)


def at_most_so_many(items, out, most):
    for number in range(dist.get_rank(), min(len(items), most), dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, number)


class Numbers(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count


def length_of_an_object(out, count):
    numbers = Numbers(count)
    for number in range(dist.get_rank(), len(numbers), dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, number)


def length_of_an_object_that_is_whole(out, count):
    numbers = Numbers(count * dist.get_world_size())
    for number in range(dist.get_rank(), len(numbers), dist.get_world_size()):
        dist.all_gather_object(out, number)
