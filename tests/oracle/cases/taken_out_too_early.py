# The box is unpacked before the broadcast fills it.
import torch.distributed as dist
rank = dist.get_rank()
box = [rank == 0]
(flag,) = box
dist.broadcast_object_list(box, src=0)
if flag:
    dist.barrier()
