"""Groups of ranks that are written down: who is in them has to come, and nobody else."""

import torch.distributed as dist


def both_of_two(tensor):
    pair = dist.new_group([0, 1])
    if dist.get_rank() < 2:
        dist.all_reduce(tensor, group=pair)


def one_of_two(tensor):
    pair = dist.new_group([0, 1])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=pair)  # expect: TL101


def by_keyword(tensor):
    pair = dist.new_group(ranks=[0, 1])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=pair)  # expect: TL101


def of_a_range(tensor):
    pair = dist.new_group(range(2))
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=pair)  # expect: TL101


def of_a_range_by_both(tensor):
    pair = dist.new_group(list(range(2)))
    if dist.get_rank() in (0, 1):
        dist.all_reduce(tensor, group=pair)


def of_the_whole_world(tensor):
    everybody = dist.new_group()
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=everybody)  # expect: TL101


def of_the_ranks_of_a_node(tensor):
    node, _ = dist.new_subgroups()
    if dist.get_rank() < 8:
        dist.all_reduce(tensor, group=node)


def of_the_whole_world_by_name(tensor):
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=dist.group.WORLD)  # expect: TL101


def of_none(tensor):
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=None)  # expect: TL101


def of_somebody(tensor, members):
    some = dist.new_group(members)
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=some)


def of_many(tensor):
    many = dist.new_group([0, 64])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=many)


def by_position(tensor):
    pair = dist.new_group([0, 1])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, dist.ReduceOp.SUM, pair)  # expect: TL101


def of_one_of_two_groups(tensor):
    low, high = dist.new_group([0, 1]), dist.new_group([2, 3])
    mine = low if dist.get_rank() < 2 else high
    dist.all_reduce(tensor, group=mine)


def of_one_of_two_groups_by_some(tensor):
    low, high = dist.new_group([0, 1]), dist.new_group([2, 3])
    mine = low if dist.get_rank() < 2 else high
    if dist.get_rank() != 1:
        dist.all_reduce(tensor, group=mine)  # expect: TL101


MEMBERS = [0, 1]


def of_numbers_above(tensor):
    pair = dist.new_group(MEMBERS)
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=pair)  # expect: TL101


def of_numbers_of_each(tensor):
    alone = dist.new_group([dist.get_rank()])
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=alone)


def reduce_in(tensor, group=None):
    dist.all_reduce(tensor, group=group)


def handed_on(tensor):
    if dist.get_rank() == 0:
        reduce_in(tensor)  # expect: TL101


def handed_on_with_a_pair(tensor):
    pair = dist.new_group([0, 1])
    if dist.get_rank() < 2:
        reduce_in(tensor, pair)
