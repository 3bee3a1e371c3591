# A loop takes one thing after the other out of a list that is longer on some ranks.
import torch.distributed as dist
def drain():
    todo = list(range(dist.get_rank() + 1))
    while todo:
        item = todo.pop()
        dist.barrier()
drain()
