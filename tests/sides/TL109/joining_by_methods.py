"""Who joins: methods of the name `join`, of models and of others, around the loop or a function with the loop."""

import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel


def joined_by_the_model(net, items):
    model = DistributedDataParallel(net)
    with model.join():
        for x in items[dist.get_rank() :: dist.get_world_size()]:
            model(x).sum().backward()


def measured_in_each_round(net, items):
    model = DistributedDataParallel(net)
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        with torch.autograd.profiler.record_function("step"):
            model(x).sum().backward()


def a_text_is_joined_beside_it(net, items, names):
    model = DistributedDataParallel(net)
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        model(x).sum().backward()
        print("-".join(names))


def a_thread_is_joined_beside_it(net, items, thread):
    model = DistributedDataParallel(net)
    thread.join()
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        model(x).sum().backward()


def joined_around_a_function(net, items):
    model = DistributedDataParallel(net)
    with Join([model]):
        go_through(model, items)


def go_through(model, items):
    for x in items[dist.get_rank() :: dist.get_world_size()]:
        model(x).sum().backward()


def not_joined_around_a_function(net, items):
    model = DistributedDataParallel(net)
    with torch.autograd.graph.save_on_cpu():
        go_through_alone(model, items)


def go_through_alone(model, items):
    for x in items[dist.get_rank() :: dist.get_world_size()]:  # expect: TL109
        model(x).sum().backward()
