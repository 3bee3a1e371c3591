"""Modelled on allenai/OLMo, pytorch/torchtitan, NVIDIA/NeMo, mosaicml/composer, pytorch/examples (rpc)."""

import os

import torch.distributed as dist
import torch.multiprocessing as mp


def connect(port):
    dist.init_process_group(  # expect: TL113
        backend="gloo",
        init_method=f"tcp://localhost:{port}",
        rank=0,
        world_size=int(os.environ["WORLD_SIZE"]),
    )


def dataloader_alone():
    dist.init_process_group(backend="gloo", world_size=1, rank=0, store=dist.HashStore())


def precompile(world_size):
    dist.init_process_group("fake", rank=0, world_size=world_size)


def trainer(rank, size):
    if rank < size - 2:
        dist.init_process_group("gloo", rank=rank, world_size=2)


def trainers():
    world_size = 4
    mp.spawn(trainer, args=(world_size,), nprocs=world_size)


def run(rank, size):
    dist.init_process_group("nccl", rank=rank, world_size=size)


def main():
    mp.spawn(run, args=(4,), nprocs=4)
