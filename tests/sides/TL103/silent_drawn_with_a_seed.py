"""All ranks seed the generators alike: they draw the same numbers."""

import random

import numpy
import torch
import torch.distributed as dist


def main(steps, run_step):
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)
    dist.init_process_group("nccl")
    now_and_then(steps, run_step)
    numbers()
    tensors()


def now_and_then(steps, run_step):
    for step in range(steps):
        run_step(step)
        if random.random() < 0.1:
            dist.barrier()


def numbers():
    if numpy.random.randint(10) > 5:
        dist.barrier()


def tensors():
    if torch.rand(1).item() < 0.1:
        dist.barrier()


if __name__ == "__main__":
    main(100, print)
