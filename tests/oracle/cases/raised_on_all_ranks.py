# A function raises in some mode, on all ranks; and one that raises by rank is called where nothing follows.
import argparse

import torch.distributed as dist


def check(mode):
    if mode:
        raise ValueError("not so")


def only_others(rank):
    if rank == 0:
        raise ValueError("not here")


parser = argparse.ArgumentParser()
parser.add_argument("--mode", action="store_true")
args = parser.parse_args()
try:
    check(args.mode)
    dist.barrier()
except ValueError:
    print("went on")
dist.barrier()
try:
    only_others(dist.get_rank())
except ValueError:
    print("rank 0")
