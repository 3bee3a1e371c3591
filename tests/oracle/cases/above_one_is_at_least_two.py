# Above one, or at least two: the same for whole numbers.
import argparse
import torch.distributed as dist

def main():
    p = argparse.ArgumentParser()
    p.add_argument("--n", type=int)
    args = p.parse_args()
    rank = dist.get_rank()
    if rank == 0 and args.n >= 2:
        dist.barrier()
    if rank != 0 and args.n > 1:
        dist.barrier()

main()
