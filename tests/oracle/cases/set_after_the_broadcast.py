# What was broadcast is changed on rank 0 afterwards.
import torch.distributed as dist

def decide():
    box = [None]
    dist.broadcast_object_list(box, src=0)
    if dist.get_rank() == 0:
        box[0] = "go"
    return box[0]

if decide() == "go":
    dist.barrier()
