"""A folder that is listed by all ranks and cleaned by one, or of which each rank takes its own part."""

import glob
import os
import shutil
from pathlib import Path

import torch
import torch.distributed as dist


def clean(folder, limit):
    if dist.get_rank() == 0:
        for path in sorted(glob.glob(folder + "/step-*"))[:-limit]:
            shutil.rmtree(path)


def forgiving(folder):
    for path in glob.glob(folder + "/*.tmp"):
        shutil.rmtree(path, ignore_errors=True)
    for path in Path(folder).iterdir():
        path.unlink(missing_ok=True)


def shares(args, convert):
    rank, world = dist.get_rank(), dist.get_world_size()
    files = sorted(os.listdir(args.folder))
    for name in files[rank::world]:
        torch.save(convert(name), os.path.join(args.folder, name + ".pt"))
    for index, name in enumerate(files):
        if index % world == rank:
            torch.save(convert(name), os.path.join(args.folder, name + ".npy"))


def own_names(args, parts):
    rank = dist.get_rank()
    made = []
    for part in parts:
        made.append(f"{args.folder}/{rank}-{part}.pt")
    for path in made:
        torch.save(part, path)
    for path in [f"{args.folder}/{part}-{rank}.pt" for part in parts]:
        torch.save(part, path)


def own_folder(args):
    rank = dist.get_rank()
    for path in glob.glob(os.path.join(args.folder, f"rank{rank}", "*.tmp")):
        os.remove(path)
    mine = [path for path in glob.glob(args.folder + "/*.pt") if path.endswith(f"{rank}.pt")]
    for path in mine:
        os.remove(path)


def attempted(args):
    for path in glob.glob(args.folder + "/*.lock"):
        try:
            os.remove(path)
        except FileNotFoundError:
            pass


def main(args, convert, parts):
    dist.init_process_group("nccl")
    clean(args.folder, args.keep)
    forgiving(args.folder)
    shares(args, convert)
    own_names(args, parts)
    own_folder(args)
    attempted(args)
