# What was broadcast is equal; with the rank it is not.
import torch.distributed as dist
def early_stop():
    flag = dist.get_rank() == 0
    box = [flag]
    dist.broadcast_object_list(box, src=0)
    flag = box[0]
    flag = flag and dist.get_rank() in (-1, 0)
    return flag
if early_stop():
    dist.barrier()
