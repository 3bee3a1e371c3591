# Some ranks are in a set.
import torch.distributed as dist
writers = {0, 2}
writers.add(3)
if dist.get_rank() in writers:
    dist.barrier()
