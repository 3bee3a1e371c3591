# A function takes an argument back on the ranks other than 0.
import argparse
import torch.distributed as dist
p = argparse.ArgumentParser()
p.add_argument("--save", action="store_true")
args = p.parse_args()
def setup(args):
    if dist.get_rank() != 0:
        args.save = False
setup(args)
def run(args):
    if args.save:
        dist.barrier()
run(args)
