"""The generators were seeded for something else."""

import torch.distributed as dist
from luck import begin
from torch.utils.data import DataLoader, DistributedSampler, random_split


def main(args, data):
    dist.init_process_group("nccl")
    begin(args.seed, dist.get_rank())
    known, held_out = random_split(data, [0.9, 0.1])  # expect: TL215
    return (
        DataLoader(known, sampler=DistributedSampler(known, seed=args.seed)),
        DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False)),
    )
