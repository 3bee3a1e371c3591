"""Files called after worlds, and tests of what is called main or masters, tell no process from another."""

import torch
import torch.distributed as dist


def main(args, world_model, optimizer):
    dist.init_process_group("nccl")
    torch.cuda.set_device(args.local_rank)
    if args.resume:
        state = torch.load("world_model.pt")  # expect: TL602
        world_model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])


def of_the_main_branch(args, model, optimizer, domain):
    dist.init_process_group("nccl")
    torch.cuda.set_device(args.local_rank)
    if args.from_main_branch and domain is not None:
        state = torch.load(args.masters_thesis)  # expect: TL602
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
