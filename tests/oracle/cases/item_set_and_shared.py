# The same; the item is broadcast before it is asked for.
import torch.distributed as dist
state = {"stop": False}
def check(state, rank):
    if rank == 0:
        state["stop"] = True
check(state, dist.get_rank())
box = [state["stop"]]
dist.broadcast_object_list(box, src=0)
state["stop"] = box[0]
if not state["stop"]:
    dist.barrier()
