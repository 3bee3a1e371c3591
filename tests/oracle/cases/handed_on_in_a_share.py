# What is handed on is run as often as the rank has items.
import torch.distributed as dist


def run(operation, *args, **kwargs):
    return operation(*args, **kwargs)


for item in [1, 2, 3, 4, 5][dist.get_rank() :: dist.get_world_size()]:
    run(dist.barrier)
