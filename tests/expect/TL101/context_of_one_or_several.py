"""A function sets the job up and returns an object: one where there is one process, another where there are several."""

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass
class Context:
    rank: int
    size: int
    device: str

    @property
    def leads(self):
        return self.rank == 0

    @property
    def several(self):
        return self.size > 1


def start(device="cuda"):
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Context(rank=0, size=1, device=device)
    rank = int(os.environ["RANK"])
    dist.init_process_group("nccl" if device == "cuda" else "gloo", rank=rank, world_size=size)
    if device == "cuda":
        torch.cuda.set_device(rank)
        device = f"cuda:{rank}"
    return Context(rank=rank, size=size, device=device)


class Alone:
    leads = True


class Among:
    def __init__(self):
        self.leads = dist.get_rank() == 0


def begin(alone):
    return Alone() if alone else Among()


def by_property(tensor):
    context = start()
    if context.leads:
        dist.broadcast(tensor, 0)  # expect: TL101


def by_field(tensor):
    context = start()
    if context.rank == 0:
        dist.broadcast(tensor, 0)  # expect: TL101


def report(context, tensor):
    if context.leads:
        dist.all_reduce(tensor)  # expect: TL101


def handed_on(tensor):
    report(start(), tensor)


def in_a_job(tensor):
    context = start()
    if context.several:
        dist.broadcast(tensor, 0)
    if context.leads:
        print(tensor)


def wait(context):
    if context.several:
        dist.barrier()


def first_one_then_the_others(build):
    context = start()
    if not context.leads:
        wait(context)
    build()
    if context.leads:
        wait(context)


def who_knows(alone, tensor):
    context = begin(alone)
    if context.leads:
        print(tensor)
    dist.broadcast(tensor, 0)
