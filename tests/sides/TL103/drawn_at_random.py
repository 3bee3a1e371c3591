"""Nobody seeds the generators: each rank draws a number of its own."""

import random

import numpy
import torch
import torch.distributed as dist


def now_and_then(steps, run_step):
    for step in range(steps):
        run_step(step)
        if random.random() < 0.1:
            dist.barrier()  # expect: TL103


def one_of_some(choices):
    if random.choice(choices) == "sync":
        dist.barrier()  # expect: TL103


def numbers():
    if numpy.random.randint(10) > 5:
        dist.barrier()  # expect: TL103


def of_one_rank_for_all():
    lucky = [random.random() < 0.1]
    dist.broadcast_object_list(lucky, src=0)
    if lucky[0]:
        dist.barrier()


def given(probability):
    if probability < 0.1:
        dist.barrier()


def tensors():
    if torch.rand(1).item() < 0.1:
        dist.barrier()  # expect: TL103
