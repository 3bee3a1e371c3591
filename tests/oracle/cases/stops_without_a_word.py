# Rank 0 finds that it is enough, and tells nobody; the barrier behind the loop looks like the one in it.
import torch.distributed as dist
stop = False
for epoch in range(4):
    dist.barrier()
    if dist.get_rank() == 0:
        stop = epoch >= 1
    if stop:
        break
dist.barrier()
