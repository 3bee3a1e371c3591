# Each rank goes down its own half, as deep as the others.
import torch.distributed as dist
def split(lo, hi, rank):
    if hi - lo <= 1:
        return
    mid = (lo + hi) // 2
    dist.barrier()
    if rank < mid:
        split(lo, mid, rank)
    else:
        split(mid, hi, rank)
split(0, 4, dist.get_rank())
