# The decorator that lets rank 0 in is outside of the one that synchronises.
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
@main_only
@synced
def save():
    print("x")
save()
