"""The script seeds before it shuffles, in another file."""

import random

import torch.distributed as dist
from luck import begin
from torch.utils.data import DistributedSampler, random_split


def main(args, data, files):
    begin(args.seed)
    known, held_out = random_split(data, [0.9, 0.1])
    random.shuffle(files)
    return DistributedSampler(known), held_out, files[dist.get_rank() :: dist.get_world_size()]
