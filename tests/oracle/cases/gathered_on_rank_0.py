# A list that rank 0 alone has, and into which objects are gathered.
import torch.distributed as dist

def main():
    rank = dist.get_rank()
    out = [None] * dist.get_world_size() if rank == 0 else None
    dist.gather_object(rank, out, dst=0)
    if out is not None:
        dist.barrier()

main()
