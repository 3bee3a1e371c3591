"""How many rounds a rank makes, computed in all the ways numbers are computed."""

import math
import os

import numpy as np
import torch
import torch.distributed as dist


def divided_with_rest(items, out):
    each, more = divmod(len(items), dist.get_world_size())
    for number in range(each + (dist.get_rank() < more)):  # expect: TL109
        dist.all_gather_object(out, number)


def divided_without_rest(items, out):
    each, _ = divmod(len(items), dist.get_world_size())
    for number in range(each):
        dist.all_gather_object(out, number)


def quotas(count, world):
    return count // world, count % world


def planned_elsewhere(items, out):
    each, more = quotas(len(items), dist.get_world_size())
    for number in range(each + (dist.get_rank() < more)):  # expect: TL109
        dist.all_gather_object(out, number)


def planned_elsewhere_without_rest(items, out):
    each = quotas(len(items), dist.get_world_size())[0]
    for number in range(each):
        dist.all_gather_object(out, number)


def rows(table, out):
    for row in range(dist.get_rank(), table.shape[0], dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, table[row])


def columns(table, out):
    for column in range(dist.get_rank(), table.shape[1], dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, table[:, column])


def up_to_a_bound(config, out):
    for number in range(dist.get_rank(), config.bounds[0], dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, number)


def whole_rows_for_each_rank(table, out):
    each = table.shape[0] // dist.get_world_size()
    for row in range(dist.get_rank() * each, (dist.get_rank() + 1) * each):
        dist.all_gather_object(out, table[row])


def one_more_for_the_first(items, out):
    each = len(items) // dist.get_world_size()
    count = each + 1 if dist.get_rank() == 0 else each
    for number in range(count):  # expect: TL109
        dist.all_gather_object(out, number)


def one_more_for_all(items, out, extra):
    each = len(items) // dist.get_world_size()
    count = each + 1 if extra else each
    for number in range(count):
        dist.all_gather_object(out, number)


def not_for_the_first(items, out):
    each = len(items) // dist.get_world_size()
    count = each + 1 if not dist.get_rank() == 0 else each
    for number in range(count):  # expect: TL109
        dist.all_gather_object(out, number)


def for_the_first_or_last(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    each = len(items) // world
    count = each + 1 if rank == 0 or rank == world - 1 else each
    for number in range(count):  # expect: TL109
        dist.all_gather_object(out, number)


def for_those_below_the_rest(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    count = len(items) // world
    if rank < len(items) % world and rank >= 0:
        count = count + 1
    for number in range(count):  # expect: TL109
        dist.all_gather_object(out, number)


def a_limit_in_the_environment(out):
    limit = "64"
    for number in range(int(limit) + dist.get_rank()):  # expect: TL109
        dist.all_gather_object(out, number)


def a_limit_for_all_in_the_environment(out):
    limit = int(os.environ.get("LIMIT", "64"))
    for number in range(limit * dist.get_rank(), limit * (dist.get_rank() + 1)):
        dist.all_gather_object(out, number)


def of_two_lengths(items, out, short):
    limit = 30 if short else 300
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, items[number])


def of_a_length_known_in_one_case(items, out, short, ask):
    limit = 30 if short else ask()
    for number in range(dist.get_rank(), limit, dist.get_world_size()):  # expect: TL109
        dist.all_gather_object(out, items[number])


def rounded_down(items, out):
    each = math.floor(len(items) / dist.get_world_size())
    for number in range(each * dist.get_rank(), each * dist.get_rank() + each):
        dist.all_gather_object(out, items[number])


def rounded_to_nearest(items, out):
    each = len(items) / dist.get_world_size()
    begin, end = round(each * dist.get_rank()), round(each * (dist.get_rank() + 1))
    for number in range(begin, end):  # expect: TL109
        dist.all_gather_object(out, items[number])


def rounded_by_numpy(items, out):
    each = int(np.ceil(len(items) / dist.get_world_size()))
    begin = each * dist.get_rank()
    for item in items[begin : max(begin, min(begin + each, len(items)))]:  # expect: TL109
        dist.all_gather_object(out, item)


def distance_to_the_middle(out):
    for number in range(abs(dist.get_rank() - 2)):  # expect: TL109
        dist.all_gather_object(out, number)


def shifted(items, out):
    each = len(items) >> 2
    begin = dist.get_rank() * each
    for item in items[begin : begin + each]:
        dist.all_gather_object(out, item)


def an_unknown_number(items, out, draw):
    for item in items[: dist.get_rank() + draw()]:
        dist.all_gather_object(out, item)


def as_many_as_a_tensor_says(counts, out):
    agreed = torch.tensor([len(counts)])
    dist.broadcast(agreed, src=0)
    for number in range(agreed[0]):
        dist.all_gather_object(out, number)
