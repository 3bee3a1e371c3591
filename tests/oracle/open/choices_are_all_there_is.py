# What is neither of two of three choices is the third.
import argparse
import torch.distributed as dist
p = argparse.ArgumentParser()
p.add_argument("--kind", choices=["a", "b", "c"])
args = p.parse_args()
if args.kind not in ("a", "b"):
    if dist.get_rank() == 0:
        dist.barrier()
if args.kind == "c" and dist.get_rank() != 0:
    dist.barrier()
