"""A link to the newest file: deleting the old one and making the new one are both the work of one rank."""

import os
from pathlib import Path

import torch.distributed as dist


def publish(folder, step):
    dist.init_process_group("nccl")
    newest = os.path.join(folder, "newest.pt")
    if dist.get_rank() == 0:
        print("publishing", step)
    os.unlink(newest)  # expect: TL112
    os.symlink(f"step_{step}.pt", newest)  # expect: TL112


def by_path(folder, step):
    dist.init_process_group("nccl")
    Path(folder, "newest.pt").symlink_to(f"step_{step}.pt")  # expect: TL112


def prepared_for_it(folder, step):
    dist.init_process_group("nccl")
    try:
        os.symlink(f"step_{step}.pt", os.path.join(folder, "newest.pt"))
    except FileExistsError:
        pass


def by_one(folder, step):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.symlink(f"step_{step}.pt", os.path.join(folder, "newest.pt"))
    os.symlink(f"step_{step}.pt", os.path.join(folder, f"newest_{dist.get_rank()}.pt"))
