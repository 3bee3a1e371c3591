"""Groups by numbers that are written down or not, what a call is handed, and functions that are called for each item."""

import sys

import torch
import torch.distributed as dist


def group_of_two(tensor):
    group = dist.new_group([0, 1])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def group_of_one(tensor):
    group = dist.new_group([0])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)


def group_of_all(tensor):
    group = dist.new_group()
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def group_of_given_numbers(tensor, numbers):
    group = dist.new_group(numbers)
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)


def group_of_a_given_number(tensor, other):
    group = dist.new_group([0, other])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)


def group_of_a_range(tensor):
    group = dist.new_group(range(2))
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def group_of_a_range_of_one(tensor):
    group = dist.new_group(range(1))
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)


def group_of_a_list_of_a_range(tensor):
    group = dist.new_group(list(range(2)))
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def group_of_a_large_range(tensor):
    group = dist.new_group(range(64))
    if dist.get_rank() == 64:
        dist.all_reduce(tensor, group=group)


def group_of_its_own(tensor):
    group = dist.new_group([dist.get_rank()])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)


def group_by_keyword(tensor):
    group = dist.new_group(ranks=[0, 1])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def group_by_keyword_with_a_backend(tensor):
    group = dist.new_group(ranks=[0], backend="gloo")
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)


def backend_only(tensor):
    group = dist.new_group(backend="gloo")
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)  # expect: TL101


def group_of_nothing(tensor):
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=None)  # expect: TL101


def group_of_the_world(tensor):
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=dist.group.WORLD)  # expect: TL101


def group_by_position(tensor):
    group = dist.new_group([0])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, dist.ReduceOp.SUM, group)


def group_of_two_by_position(tensor):
    group = dist.new_group([0, 1])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, dist.ReduceOp.SUM, group)  # expect: TL101


def reduce_in(tensor, group):
    dist.all_reduce(tensor, group=group)


def hands_a_group_of_one(tensor):
    group = dist.new_group([0])
    if dist.get_rank() == 0:
        reduce_in(tensor, group)


def hands_no_group(tensor):
    if dist.get_rank() == 0:
        reduce_in(tensor, None)  # expect: TL101


def meet(tensor):
    dist.all_reduce(tensor)
    return tensor


def double(tensor):
    return tensor * 2


def for_each_of_them(tensors):
    if dist.get_rank() == 0:
        torch.utils._pytree.tree_map(meet, tensors)
        list(map(meet, tensors))  # expect: TL101


def doubles_each_of_them(tensors):
    if dist.get_rank() == 0:
        list(map(double, tensors))


def stop(code):
    if code:
        sys.exit(code)


def leave():
    sys.exit(0)


def ends_on_the_first():
    if dist.get_rank() == 0:
        leave()
    dist.barrier()  # expect: TL102


def ends_with_a_code_on_the_first():
    if dist.get_rank() == 0:
        stop(0)
    dist.barrier()


def ends_with_another_code_on_the_first():
    if dist.get_rank() == 0:
        stop(3)
    dist.barrier()  # expect: TL102


def ends_on_all():
    leave()
    if dist.get_rank() == 0:
        dist.barrier()
