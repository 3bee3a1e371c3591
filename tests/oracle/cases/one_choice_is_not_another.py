# An argument that is one word is not another.
import argparse
import torch.distributed as dist

def main():
    p = argparse.ArgumentParser()
    p.add_argument("--mode", choices=["a", "b", "c"])
    args = p.parse_args()
    rank = dist.get_rank()
    if rank == 0:
        if args.mode == "a":
            dist.barrier()
        elif args.mode == "b":
            print("b")
    else:
        if args.mode == "b":
            print("b")
        else:
            if args.mode == "a":
                dist.barrier()

main()
