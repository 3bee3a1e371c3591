# One test in two spellings: one of a tuple, or equal to each.
import argparse
import torch.distributed as dist

def main():
    p = argparse.ArgumentParser()
    p.add_argument("--mode", choices=["a", "b", "c"])
    args = p.parse_args()
    rank = dist.get_rank()
    if rank == 0:
        if args.mode in ("a", "b"):
            dist.barrier()
    elif args.mode == "a" or args.mode == "b":
        dist.barrier()

main()
