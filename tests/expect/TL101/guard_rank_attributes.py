"""`self.rank`, `args.rank`, `cfg.dist.rank`: the rank kept in an object."""

import os

import torch.distributed as dist


class EpochRunner:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.rank = dist.get_rank()

    def finish(self, stats):
        if self.rank == 0:
            dist.all_reduce(stats)  # expect: TL101
            print(stats)


def setup(args):
    args.rank = int(os.environ["RANK"])
    args.world_size = int(os.environ["WORLD_SIZE"])
    return args


def evaluate(args, accuracy):
    if args.rank == 0:
        dist.all_reduce(accuracy)  # expect: TL101


def report(cfg, accuracy):
    if cfg.dist.rank == 0:
        dist.all_reduce(accuracy)  # expect: TL101
