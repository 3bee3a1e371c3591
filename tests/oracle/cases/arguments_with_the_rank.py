# Who is the main rank is kept in the arguments.
import argparse
import os
import torch.distributed as dist
p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int, default=1)
args = p.parse_args()
args.rank = int(os.environ["RANK"])
args.main = args.rank == 0
def train(args):
    for e in range(args.epochs):
        if args.main:
            dist.barrier()
train(args)
