# A function sets an item of a dict of the file, on rank 0.
import torch.distributed as dist
state = {"stop": False}
def check(state, rank):
    if rank == 0:
        state["stop"] = True
check(state, dist.get_rank())
if not state["stop"]:
    dist.barrier()
