# An argument that a function sets by rank decides about a print only.
import argparse
import torch.distributed as dist
p = argparse.ArgumentParser()
p.add_argument("--save", action="store_true")
args = p.parse_args()
def setup(args):
    if dist.get_rank() != 0:
        args.verbose = False
    else:
        args.verbose = True
setup(args)
def run(args):
    if args.verbose:
        print("x")
    if args.save:
        dist.barrier()
run(args)
