"""Each rank works through its part alone; the ranks meet behind the loop, or in rounds that all of them make."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def gathered_afterwards(items, score):
    scores = []
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        scores.append(score(item))
    everybody = [None] * dist.get_world_size()
    dist.all_gather_object(everybody, scores)
    return sum(everybody, [])


def without_gradients(net, items):
    model = DistributedDataParallel(net)
    outputs = []
    with torch.no_grad():
        for x in items[dist.get_rank() :: dist.get_world_size()]:
            outputs.append(model(x))
    dist.barrier()
    return outputs


def up_to_the_last_common_round(keys, predict):
    last = len(keys) // dist.get_world_size() - 1
    for number, key in enumerate(keys[dist.get_rank() :: dist.get_world_size()]):
        predict(key)
        if number < last and (number + 1) % 20 == 0:
            dist.barrier()


def plain_model(net, items, optimizer):
    for x in items[dist.get_rank() :: dist.get_world_size()]:
        net(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    for parameter in net.parameters():
        dist.all_reduce(parameter.data)


def own_group(items, step, members):
    group = dist.new_group(members)
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        dist.all_reduce(step(item), group=group)


def of_an_object(net, items, optimizer):
    model = DistributedDataParallel(net)
    for x in items[dist.get_rank() :: dist.get_world_size()]:
        with model.no_sync():
            model(x).sum().backward()
    optimizer.step()


def heads(weights, rank, world):
    for weight in weights[rank::world]:
        weight.zero_()
    dist.barrier()
