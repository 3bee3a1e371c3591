"""Rank 0 makes a folder; what the others do with it, or in it, behind the test."""

import os
import shutil
from pathlib import Path

import torch
import torch.distributed as dist


def written_into(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(folder, exist_ok=True)  # expect: TL111
    torch.save(model.state_dict(), os.path.join(folder, f"{rank}.pt"))


def written_beside(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(os.path.join(folder, "logs"), exist_ok=True)
    torch.save(model.state_dict(), os.path.join(folder, f"{rank}.pt"))


def read_from(model, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    return torch.load(os.path.join(folder, "first.pt"))


def made_by_all(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(folder, exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    torch.save(model.state_dict(), os.path.join(folder, f"{rank}.pt"))


def made_below_by_all(model, folder):
    """`makedirs` makes what is above, too."""
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(folder, exist_ok=True)
    os.makedirs(os.path.join(folder, str(rank)), exist_ok=True)
    torch.save(model.state_dict(), os.path.join(folder, str(rank), "last.pt"))


def made_elsewhere_by_all(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(folder, exist_ok=True)  # expect: TL111
    os.makedirs("logs", exist_ok=True)
    torch.save(model.state_dict(), os.path.join(folder, f"{rank}.pt"))


def by_path(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    place = Path(folder) / "parts"
    if rank == 0:
        place.mkdir(parents=True)  # expect: TL111
    torch.save(model.state_dict(), place / f"{rank}.pt")


def deeper_inside(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(os.path.join(folder, "parts", "last"))  # expect: TL111
    torch.save(model.state_dict(), os.path.join(folder, "parts", "last", f"{rank}.pt"))


def another_inside(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(os.path.join(folder, "parts", "last"))
    torch.save(model.state_dict(), os.path.join(folder, "parts", "first", f"{rank}.pt"))


def removed(model, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
    shutil.rmtree(folder)


def of_one_of_two(model, folder, args):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    place = os.path.join(folder, "debug") if args.debug else folder
    if rank == 0:
        os.makedirs(place, exist_ok=True)  # expect: TL111
    torch.save(model.state_dict(), os.path.join(folder, f"{rank}.pt"))


def own_folder(model, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        os.makedirs(os.path.join(folder, str(rank)))
    torch.save(model.state_dict(), os.path.join(folder, str(rank), "last.pt"))


class Places:
    def __init__(self, root):
        self.root = root
        self.parts = os.path.join(root, "parts")

    def part(self, name):
        return os.path.join(self.parts, name)


def kept_in_an_object(model, root):
    dist.init_process_group("nccl")
    places = Places(root)
    if dist.get_rank() == 0:
        os.makedirs(places.parts)  # expect: TL111
    torch.save(model.state_dict(), places.part(f"{dist.get_rank()}.pt"))


def kept_in_another_object(model, root, other):
    dist.init_process_group("nccl")
    places, rest = Places(root), Places(other)
    if dist.get_rank() == 0:
        os.makedirs(places.parts)
    torch.save(model.state_dict(), rest.part(f"{dist.get_rank()}.pt"))


PARTS = os.path.join("runs", "parts")
LOGS = "logs"


def at_the_top(model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(PARTS)  # expect: TL111
    torch.save(model.state_dict(), os.path.join(PARTS, f"{dist.get_rank()}.pt"))


def another_at_the_top(model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(PARTS)
    torch.save(model.state_dict(), os.path.join(LOGS, f"{dist.get_rank()}.pt"))


def of_settings(model, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(args.parts)  # expect: TL111
    torch.save(model.state_dict(), os.path.join(args.parts, f"{dist.get_rank()}.pt"))


def of_other_settings(model, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(args.parts)
    torch.save(model.state_dict(), os.path.join(args.pieces, f"{dist.get_rank()}.pt"))


def of_an_entry(model, config):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(config["parts"])  # expect: TL111
    torch.save(model.state_dict(), os.path.join(config["parts"], f"{dist.get_rank()}.pt"))


def of_another_entry(model, config):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(config["parts"])
    torch.save(model.state_dict(), os.path.join(config["pieces"], f"{dist.get_rank()}.pt"))
