# A function that calls what it is given on every item of a tree: handed a collective by all ranks, something else by one.
import torch
import torch.distributed as dist


def on_each(action, data):
    if isinstance(data, list):
        return [on_each(action, item) for item in data]
    return action(data)


def shape(data):
    return len(data)


on_each(dist.all_reduce, [torch.ones(1), [torch.ones(1)]])
if dist.get_rank() == 0:
    print(on_each(shape, [torch.ones(1), [torch.ones(1)]]))
dist.barrier()
