# A test on the rank in a comprehension.
import torch.distributed as dist

if any(dist.get_rank() == r for r in (0, 1)):
    dist.barrier()
