"""Each process has a file of its own, or only one of them loads."""

import os

import torch
import torch.distributed as dist


def own(args, model, optimizer):
    dist.init_process_group("nccl")
    torch.cuda.set_device(args.local_rank)
    state = torch.load(f"shard_{dist.get_rank()}.pt")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


def alone(args, model, optimizer):
    dist.init_process_group("nccl")
    torch.cuda.set_device(args.local_rank)
    if int(os.environ["RANK"]) == 0:
        state = torch.load(args.resume)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
