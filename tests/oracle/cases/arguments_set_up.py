# A function keeps in the arguments who is to save.
import argparse
import torch.distributed as dist
p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int, default=1)
args = p.parse_args()
def setup(args):
    args.rank = dist.get_rank()
    args.distributed = True
    args.should_save = args.rank == 0
setup(args)
def save(args):
    if args.should_save:
        dist.barrier()
save(args)
