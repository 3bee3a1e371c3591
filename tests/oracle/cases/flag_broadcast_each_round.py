# The same; the flag is broadcast in each round.
import torch
import torch.distributed as dist
running = True
step = 0
while running:
    step += 1
    dist.barrier()
    if dist.get_rank() == 0 and step == 2:
        running = False
    box = [running]
    dist.broadcast_object_list(box, 0)
    running = box[0]
