"""A folder that rank 0 makes, and into which other ranks write; a file that is not looked for where it is read."""

import os

import torch
import torch.distributed as dist


def part_of_each(model, args):
    dist.init_process_group("nccl")
    folder = os.path.join("runs", args.name)
    if dist.get_rank() == 0:
        if not os.path.exists(folder):
            os.makedirs(folder)  # expect: TL111
    torch.save(model.state_dict(), os.path.join(folder, f"{dist.get_rank()}.pt"))


def begin_again(path, model, other):
    if not os.path.isfile(other):
        print("no", other)
    model.load_state_dict(torch.load(path))


def from_a_helper(model, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), args.path)  # expect: TL111
    begin_again(args.path, model, args.other)
