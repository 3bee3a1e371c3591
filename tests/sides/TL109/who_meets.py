"""What is called in a round: whether all ranks meet there, each time."""

import horovod.torch as hvd
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def of_all(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_reduce(item)


def of_the_world(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_reduce(item, dist.ReduceOp.SUM, dist.group.WORLD)


def of_no_group(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_reduce(item, group=None)


def of_some(items):
    group = dist.new_group([0, 1])
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_reduce(item, group=group)


def of_those_told(items, members=None):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_reduce(item, group=members)


def total(value, members=None):
    dist.all_reduce(value, group=members)


def of_nobody_in_particular(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        total(item)


def of_a_pair(items):
    pair = dist.new_group([0, 1])
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        total(item, pair)


def of_a_group_by_position(items, groups):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.barrier(groups[dist.get_rank()])


def of_horovod(items):
    for item in items[hvd.rank() :: hvd.size()]:  # expect: TL109
        hvd.allreduce(item)


def every_tenth(items):
    for number, item in enumerate(items[dist.get_rank() :: dist.get_world_size()]):
        if number % 10 == 0:
            dist.all_reduce(item)


def if_it_is_wanted(items, verbose):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        if verbose:
            dist.all_reduce(item)


def or_else(items, local):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        if local:
            print(item)
        else:
            dist.all_reduce(item)


def if_it_is_long(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        if len(item) > 10:
            dist.all_reduce(item)


def in_training(model, items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        if model.training:
            dist.all_reduce(item)


def in_use(model, items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        if model.shared:
            dist.all_reduce(item)


def until_it_is_enough(items, enough):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_reduce(item)
        if item.sum() > enough:
            break


def until_it_is_found(items, wanted):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_reduce(item)
        for value in item:
            if value == wanted:
                return value


def with_a_search_in_it(items, wanted):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        dist.all_reduce(item)
        for value in item:
            if value == wanted:
                break


def in_an_inner_loop(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        for value in (item, item):
            dist.all_reduce(value)


def in_a_context(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        with torch.no_grad():
            dist.all_reduce(item)


def in_a_try(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        try:
            dist.all_reduce(item)
        except RuntimeError:
            print(item)


def in_case_of_an_error(items, load):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        try:
            load(item)
        except OSError:
            dist.barrier()


def mean(value, shared):
    if shared:
        dist.all_reduce(value)
    return value


def logged(value, shared):
    return mean(value, shared)


def logged_by(value, shared):
    return logged(value, shared)


def shared_mean(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        mean(item, True)


def own_mean(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        mean(item, False)


def shared_for_long_ones(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        mean(item, len(item) > 10)


def shared_mean_far_down(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        logged_by(item, True)


def perhaps_shared_far_down(items, shared):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        logged_by(item, shared)


def halves(value):
    while value.numel() > 1:
        dist.all_reduce(value)
        yield value
        value = value[: len(value) // 2]


def a_generator_that_nobody_asks(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        halves(item)


def reduced_tree(node):
    for child in node.children:
        reduced_tree(child)
    dist.all_reduce(node.value)


def trees(nodes):
    for node in nodes[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        reduced_tree(node)


def only_the_first_goes_there(items):
    if dist.get_rank() == 0:
        one_after_another(items)  # expect: TL101


def one_after_another(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_reduce(item)


def sent(items):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.send(item, dst=0)


def evaluated(net, items):
    model = DistributedDataParallel(net)
    for x in items[dist.get_rank() :: dist.get_world_size()]:
        with torch.no_grad():
            model(x)


def trained_by_hand(net, items, optimizer):
    model = DistributedDataParallel(net)
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
