# A dict is asked with get() for what was put in by the rank.
import torch.distributed as dist
state = {}
state["main"] = dist.get_rank() == 0
if state.get("main"):
    dist.barrier()
