"""Trains on what another program has put in order, and each rank takes its part."""

import sys

import torch.distributed as dist
from accelerate import Accelerator
from torch.utils.data import DataLoader, DistributedSampler
from transformers import Trainer


def mine(path):
    with open(path) as text:
        names = text.read().split()
    return names[dist.get_rank() :: dist.get_world_size()]


def loaders(names):
    prepared = Accelerator().prepare(DataLoader(names))
    return prepared, DataLoader(names, sampler=DistributedSampler(names))


def train(model, names):
    Trainer(model, train_dataset=names).train()


if __name__ == "__main__":
    loaders(mine(sys.argv[1]))
