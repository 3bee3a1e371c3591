# The same with a part that each rank has.
import torch.distributed as dist
def drain():
    todo = ["a", "b", "c", "d", "e"][dist.get_rank()::dist.get_world_size()]
    while len(todo) > 0:
        item = todo.pop(0)
        dist.barrier()
drain()
