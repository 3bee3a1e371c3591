# Rank 0 alone goes through a plan.
import argparse
import torch.distributed as dist
def synchronize():
    dist.barrier()
def skip():
    pass
class Flags:
    pass
def main(cfg):
    rank = dist.get_rank()
    Flags.main = rank == 0
    if Flags.main:
        plan = [(cfg.mode, synchronize), (True, skip)]
        for wanted, call in plan:
            call()
parser = argparse.ArgumentParser()
parser.add_argument("--mode", action="store_true")
main(parser.parse_args())
