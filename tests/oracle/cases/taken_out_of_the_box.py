# What the box holds behind the broadcast is the same on all ranks, however it is taken out.
import torch.distributed as dist
rank = dist.get_rank()
box = [rank == 0 if rank == 0 else None]
dist.broadcast_object_list(box, src=0)
(flag,) = box
if flag:
    dist.barrier()
