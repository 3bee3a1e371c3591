# Rank 0 alone ends the loop.
import torch
import torch.distributed as dist
running = True
step = 0
while running:
    step += 1
    dist.barrier()
    if dist.get_rank() == 0 and step == 2:
        running = False
    if step == 3:
        break
