# A collective is handed to a function that passes all its arguments on.
import torch.distributed as dist

def apply(fn, *args, **kwargs):
    return fn(*args, **kwargs)

if dist.get_rank() == 0:
    apply(dist.barrier)
print("x")
