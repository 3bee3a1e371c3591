"""A variable of the environment is a text: "0" is as true as "1" until it is made a number (NVIDIA/NeMo asks so)."""

import os

import torch.distributed as dist


def started_by_a_launcher():
    if os.environ.get("RANK") and os.environ.get("WORLD_SIZE"):
        dist.init_process_group("nccl")
        return dist.barrier()


def asked_in_other_words(tensor):
    rank = os.environ.get("LOCAL_RANK")
    if rank:
        dist.all_reduce(tensor)
    if not os.getenv("RANK", ""):
        return
    dist.broadcast(tensor, 0)


def as_text(tensor):
    name = str(os.environ["RANK"])
    if name:
        dist.all_reduce(tensor)
