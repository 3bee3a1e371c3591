"""The ranks that are done join in, or make up for it in another loop."""

import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel


def nobody_joins(net, items):
    model = DistributedDataParallel(net)
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        model(x).sum().backward()


def by_the_context(net, items):
    model = DistributedDataParallel(net)
    with Join([model]):
        for x in items[dist.get_rank() :: dist.get_world_size()]:
            model(x).sum().backward()


def by_the_method(net, items):
    model = DistributedDataParallel(net)
    with model.join():
        for x in items[dist.get_rank() :: dist.get_world_size()]:
            model(x).sum().backward()


def by_the_method_of_an_argument(model, items):
    with model.join():
        for x in items[dist.get_rank() :: dist.get_world_size()]:
            model(x).sum().backward()


def names_are_joined(net, items, names):
    model = DistributedDataParallel(net)
    title = ", ".join(names)
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        model(x).sum().backward()
    return title


def a_thread_is_joined(net, items, reader):
    model = DistributedDataParallel(net)
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        model(x).sum().backward()
    reader.join()


def one_pass(model, items):
    for x in items[dist.get_rank() :: dist.get_world_size()]:
        model(x).sum().backward()


def by_the_caller(net, items):
    model = DistributedDataParallel(net)
    with model.join():
        one_pass(model, items)


class Runner:
    def __init__(self, net):
        self.model = DistributedDataParallel(net)

    def fit(self, items):
        for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
            self.model(x).sum().backward()


class JoiningRunner:
    def __init__(self, net):
        self.model = DistributedDataParallel(net)

    def fit(self, items):
        with self.model.join():
            for x in items[dist.get_rank() :: dist.get_world_size()]:
                self.model(x).sum().backward()


def train(net, items):
    Runner(net).fit(items)
    JoiningRunner(net).fit(items)


def the_others_wait_as_often(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    for _ in range(rank):
        dist.barrier()
    for _ in range(world - rank):
        dist.barrier()


def the_others_wait_for_something_else(items, flag):
    rank, world = dist.get_rank(), dist.get_world_size()
    for _ in range(rank):  # expect: TL109
        dist.barrier()
    for _ in range(world - rank):  # expect: TL109
        dist.all_reduce(flag)


def the_others_wait_one_less(items):
    rank, world = dist.get_rank(), dist.get_world_size()
    for _ in range(rank):  # expect: TL109
        dist.barrier()
    for _ in range(world - 2 * rank + 3):  # expect: TL109
        dist.barrier()


def what_is_left(items, most, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in mine:
        dist.all_gather_object(out, item)
    for _ in range(most - len(mine)):
        dist.all_gather_object(out, None)


def what_is_left_in_a_function(items, most, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in mine:
        dist.all_gather_object(out, item)
    fill(most - len(mine), out)


def fill(rounds, out):
    for _ in range(rounds):
        dist.all_gather_object(out, None)


def some_more_for_all(items, more, out):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)
    for _ in range(more):
        dist.all_gather_object(out, None)


def until_all_are_done(items, out, done):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_gather_object(out, item)
    while not done(out):
        dist.all_gather_object(out, None)


def until_nobody_waits(items, out, flag):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_gather_object(out, item)
    while flag.item() > 0:
        dist.all_reduce(flag)


class Turns:
    """One after the other: in ``with Turns():``."""

    def __enter__(self):
        for _ in range(dist.get_rank()):
            dist.barrier()

    def __exit__(self, *args):
        for _ in range(dist.get_world_size() - dist.get_rank()):
            dist.barrier()


class HalfTurns:
    def __enter__(self):
        for _ in range(dist.get_rank()):  # expect: TL109
            dist.barrier()

    def __exit__(self, *args):
        dist.barrier()


class OtherTurns:
    def __enter__(self):
        for _ in range(dist.get_rank()):  # expect: TL109
            dist.barrier()

    def __exit__(self, *args):
        for _ in range(dist.get_world_size() - dist.get_rank()):  # expect: TL109
            dist.all_reduce(torch.zeros(1))


def up_and_down_twice(work):
    rank, world = dist.get_rank(), dist.get_world_size()
    for _ in range(rank):
        dist.barrier()
    work()
    for _ in range(rank):
        dist.barrier()
    for _ in range(2 * (world - rank)):
        dist.barrier()
