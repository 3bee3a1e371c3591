"""Made a number, or compared with a text, a variable of the environment tells ranks apart."""

import os

import torch.distributed as dist


def number():
    if int(os.environ.get("RANK", 0)):
        dist.barrier()  # expect: TL101


def text(tensor):
    if os.environ["LOCAL_RANK"] != "0":
        dist.all_reduce(tensor)  # expect: TL101


def kept(tensor):
    rank = int(os.environ["RANK"])
    if not rank:
        dist.broadcast(tensor, 0)  # expect: TL101
