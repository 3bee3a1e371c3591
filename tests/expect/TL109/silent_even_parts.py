"""Parts that are equal by the way they are computed, or because a check says so."""

import math

import torch
import torch.distributed as dist


def floor(items, step):
    each = len(items) // dist.get_world_size()
    begin = dist.get_rank() * each
    for item in items[begin : begin + each]:
        dist.all_reduce(step(item))


def trimmed(items, step):
    world = dist.get_world_size()
    usable = len(items) - len(items) % world
    for item in items[:usable][dist.get_rank() :: world]:
        dist.all_reduce(step(item))


def trimmed_range(items, step):
    world = dist.get_world_size()
    for i in range(dist.get_rank(), len(items) // world * world, world):
        dist.all_reduce(step(items[i]))


def padded(items, step):
    world = dist.get_world_size()
    missing = -len(items) % world
    items = items + items[:missing]
    for item in items[dist.get_rank() :: world]:
        dist.all_reduce(step(item))


def padded_in_place(items, step):
    world = dist.get_world_size()
    while len(items) % world != 0:
        items.append(items[-1])
    for item in items[dist.get_rank() :: world]:
        dist.all_reduce(step(item))


def extended(items, step):
    world = dist.get_world_size()
    order = list(items)
    order.extend(order[: world * math.ceil(len(order) / world) - len(order)])
    for item in order[dist.get_rank() :: world]:
        dist.all_reduce(step(item))


def asserted(items, step):
    world = dist.get_world_size()
    assert len(items) % world == 0, "not a multiple"
    for item in items[dist.get_rank() :: world]:
        dist.all_reduce(step(item))


def checked(items, step):
    world = dist.get_world_size()
    if len(items) % world:
        raise ValueError("not a multiple")
    for item in items[dist.get_rank() :: world]:
        dist.all_reduce(step(item))


def made_to_fit(per_rank, step):
    world = dist.get_world_size()
    for number in range(dist.get_rank(), per_rank * world, world):
        dist.all_reduce(step(number))


def blocks_of_columns(columns, size, rank, ranks):
    count = columns.shape[0]
    blocks = ((count - 1) // size // ranks + 1) * ranks
    for block in torch.nn.functional.pad(columns, [0, 0, 0, -count % blocks]).chunk(blocks)[rank::ranks]:
        for source in range(ranks):
            dist.broadcast(block, src=source)


def rows_of_a_table(indices, batch, rank, world):
    for row in indices.view(-1, batch)[rank::world]:
        dist.all_reduce(row)


def same_for_all(items, step):
    for item in items:
        dist.all_reduce(step(item))


def told(items, step):
    mine = items[dist.get_rank() :: dist.get_world_size()]  # trainlint: uniform, the files come in multiples of eight
    for item in mine:
        dist.all_reduce(step(item))


def halves(items, count):
    each = len(items) // count
    return [items[i * each : (i + 1) * each] for i in range(count)]


def one_of_the_halves(items, step):
    for item in halves(items, dist.get_world_size())[dist.get_rank()]:
        dist.all_reduce(step(item))
