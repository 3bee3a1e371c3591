# A list of pairs says which functions are called; one is wanted by rank 0 alone, in one mode.
import argparse
import torch.distributed as dist
def sync():
    dist.barrier()
def hook(cfg):
    plan = [(dist.get_rank() == 0 and cfg.save, sync), (True, print)]
    for wanted, call in plan:
        if wanted:
            call()
def main(cfg):
    hooks = [hook]
    for call in hooks:
        call(cfg)
parser = argparse.ArgumentParser()
parser.add_argument("--save", action="store_true")
main(parser.parse_args())
