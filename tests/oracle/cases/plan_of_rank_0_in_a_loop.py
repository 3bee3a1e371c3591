# Rank 0 alone goes through a plan in each round; all meet behind the loop.
import argparse
import torch.distributed as dist
def skip():
    pass
def main(cfg):
    n = 0
    while n < 3:
        n += 1
        if (m := (dist.get_rank() < 1)):
            plan = [(cfg.every and n != 2, dist.barrier), (True, skip)]
            for wanted, call in plan:
                call()
    getattr(dist, 'barrier')()
parser = argparse.ArgumentParser()
parser.add_argument("--every", action="store_true")
main(parser.parse_args())
