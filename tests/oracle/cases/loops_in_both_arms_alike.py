# As many rounds on every rank, in two places, and then what all run.
import torch.distributed as dist
rank = dist.get_rank()
if rank == 0:
    for name in ("a", "b"):
        dist.barrier()
else:
    for _ in range(2):
        dist.barrier()
dist.barrier()
