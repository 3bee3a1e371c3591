# Rank 0 meets nobody before the loop, and nobody behind it.
import torch.distributed as dist


def meet():
    dist.barrier()


if dist.get_rank() == 0:
    meet()
for _ in range(2):
    dist.barrier()
if dist.get_rank() == 0:
    meet()
