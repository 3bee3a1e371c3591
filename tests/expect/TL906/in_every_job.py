"""A test that only says whether the run is one of several processes is none that somebody looks for a mistake."""

import os

import fire
import torch
import torch.distributed as dist
from torch.distributed import is_initialized


def set_flags():
    os.environ["NCCL_DEBUG"] = "INFO"  # expect: TL906


def here():
    if dist.is_initialized():
        os.environ["NCCL_DEBUG"] = "INFO"  # expect: TL906


def both():
    if dist.is_available() and is_initialized():
        detail()


def detail():
    os.environ["NCCL_DEBUG"] = "INFO"  # expect: TL906


def main(rank=0):
    if torch.distributed.is_initialized():
        torch.cuda.set_device(rank)
        set_flags()
        here()
    both()


if __name__ == "__main__":
    fire.Fire(main)
