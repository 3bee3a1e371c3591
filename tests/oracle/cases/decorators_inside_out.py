# It is inside.
import functools
import torch.distributed as dist
def main_only(fn):
    @functools.wraps(fn)
    def w(*a, **k):
        if dist.get_rank() == 0:
            return fn(*a, **k)
    return w
def synced(fn):
    @functools.wraps(fn)
    def w(*a, **k):
        r = fn(*a, **k)
        dist.barrier()
        return r
    return w
@synced
@main_only
def save():
    print("x")
save()
