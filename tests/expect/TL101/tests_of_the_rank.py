"""How the rank is asked about: membership, arithmetic, comparison chains, `not`, walrus, `match`, comprehensions."""

import os

import torch.distributed as dist

RANK = int(os.environ.get("RANK", -1))


def listed(tensor, rank):
    if rank in [-1, 0]:
        dist.all_reduce(tensor)  # expect: TL101


def in_a_set(tensor):
    if RANK in {-1, 0}:
        dist.all_reduce(tensor)  # expect: TL101


def not_listed(tensor, rank):
    if rank not in (-1, 0):
        dist.all_reduce(tensor)  # expect: TL101


def falsy(tensor, rank):
    if not rank:
        dist.all_reduce(tensor)  # expect: TL101


def truthy(tensor, rank):
    if rank:
        dist.all_reduce(tensor)  # expect: TL101


def first_of_each_eight(tensor, rank):
    if rank % 8 == 0:
        dist.all_reduce(tensor)  # expect: TL101


def first_of_each_node(tensor, rank):
    if rank % int(os.environ["LOCAL_WORLD_SIZE"]) == 0:
        dist.all_reduce(tensor)  # expect: TL101


def at_most(tensor, rank):
    if rank <= 0:
        dist.all_reduce(tensor)  # expect: TL101


def less(tensor, rank):
    if rank < 1:
        dist.all_reduce(tensor)  # expect: TL101


def the_other_way_round(tensor, rank):
    if 0 == rank:
        dist.all_reduce(tensor)  # expect: TL101


def within(tensor, rank):
    if 0 <= rank < 2:
        dist.all_reduce(tensor)  # expect: TL101


def by_text(tensor):
    if str(RANK) == "0":
        dist.all_reduce(tensor)  # expect: TL101


def initialized_too(tensor):
    if dist.is_available() and dist.is_initialized() and dist.get_rank() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def alone_or_first(tensor):
    if not dist.is_initialized() or dist.get_rank() == 0:
        dist.all_reduce(tensor)  # expect: TL101


def first_or_on_the_processor(tensor, rank):
    if (rank == 0) or (rank == "cpu"):
        dist.all_reduce(tensor)  # expect: TL101


def not_both(tensor, rank, quiet):
    if not (rank != 0 or quiet):
        dist.all_reduce(tensor)  # expect: TL101


def by_value(tensor, rank):
    leads = True if rank == 0 else False
    if leads:
        dist.all_reduce(tensor)  # expect: TL101


def by_expression(tensor, rank):
    total = dist.all_reduce(tensor) if rank == 0 else tensor  # expect: TL101
    return total


def by_short_circuit(tensor, rank):
    rank == 0 and dist.all_reduce(tensor)  # expect: TL101


def by_walrus(tensor):
    if (me := dist.get_rank()) == 0:
        dist.all_reduce(tensor)  # expect: TL101
    return me


def by_walrus_of_the_test(tensor, rank):
    if first := rank == 0:
        dist.all_reduce(tensor)  # expect: TL101
    return first


def by_match(tensor, rank):
    match rank:
        case 0:
            dist.all_reduce(tensor)  # expect: TL101
        case _:
            print("waiting")


def by_match_of_several(tensor, rank):
    match rank:
        case 0 | 1:
            dist.all_reduce(tensor)  # expect: TL101


def by_match_with_a_guard(tensor, rank):
    match tensor:
        case other if rank == 0:
            dist.all_reduce(other)  # expect: TL101


def by_filter(tensors, rank):
    return [dist.all_reduce(tensor) for tensor in tensors if rank == 0]  # expect: TL101


def by_loop_condition(tensor, rank, queue):
    while rank == 0:
        dist.all_reduce(tensor)  # expect: TL101
        if queue.empty():
            break


def by_lambda(tensor):
    leads = lambda: dist.get_rank() == 0  # noqa: E731
    if leads():
        dist.all_reduce(tensor)  # expect: TL101


def by_lambda_with_a_number(tensor, rank):
    same = lambda r: r == 0  # noqa: E731
    if same(rank):
        dist.all_reduce(tensor)  # expect: TL101


def by_bool(tensor, rank):
    if bool(rank == 0):
        dist.all_reduce(tensor)  # expect: TL101


def by_any(tensor, rank):
    if any([rank == 0, rank == 1]):
        dist.all_reduce(tensor)  # expect: TL101


def by_all(tensor, rank, ready):
    if all((ready, rank == 0)):
        dist.all_reduce(tensor)  # expect: TL101


def by_operator(tensor, rank, ready):
    if ready & (rank == 0):
        dist.all_reduce(tensor)  # expect: TL101


def by_range(tensor, rank):
    if rank in range(2):
        dist.all_reduce(tensor)  # expect: TL101


def by_last(tensor, rank, world_size):
    if rank == world_size - 1:
        dist.all_reduce(tensor)  # expect: TL101


def by_not_last(tensor, rank, world_size):
    if rank + 1 < world_size:
        dist.all_reduce(tensor)  # expect: TL101


def by_dispatch(tensor, rank):
    work = {True: dist.all_reduce, False: print}[rank == 0]
    work(tensor)  # expect: TL101


def by_dispatch_with_default(tensor, rank):
    {0: dist.all_reduce}.get(rank, print)(tensor)  # expect: TL101


def by_function_chosen(tensor, rank):
    work = dist.all_reduce if rank == 0 else print
    work(tensor)  # expect: TL101
