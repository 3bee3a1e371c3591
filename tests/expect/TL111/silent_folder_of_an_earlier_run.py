"""A folder that rank 0 makes if it is missing, and a file in it that only an earlier run can have left there."""

import os

import torch
import torch.distributed as dist


def resumed(model, args):
    dist.init_process_group("nccl")
    folder = os.path.join("runs", args.name)
    if dist.get_rank() == 0:
        if not os.path.exists(folder):
            os.makedirs(folder)
    if args.resume:
        model.load_state_dict(torch.load(os.path.join(folder, "last.pt")))


def begin_again(path, model):
    if not os.path.isfile(path):
        return
    model.load_state_dict(torch.load(path))


def from_a_helper(model, args):
    dist.init_process_group("nccl")
    if args.out and dist.get_rank() == 0:
        os.makedirs(args.out, exist_ok=True)
    begin_again(os.path.join(args.out, "last.pt"), model)


def a_file_that_may_be_missing(model, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), args.path)
    begin_again(args.path, model)
