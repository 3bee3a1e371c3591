"""Every rank writes its part, and one of them puts the parts together before all have written theirs."""

import glob
import json
import os
import pickle
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from accelerate import Accelerator


def evaluate(model, loader, out):
    dist.init_process_group("nccl")
    rank, world = dist.get_rank(), dist.get_world_size()
    found = [model(batch).cpu() for batch in loader]
    torch.save(found, os.path.join(out, f"results_{rank}.pt"))  # expect: TL111
    if rank == 0:
        merged = []
        for r in range(world):
            merged += torch.load(os.path.join(out, f"results_{r}.pt"))
        torch.save(merged, os.path.join(out, "results.pt"))


class Collector:
    def __init__(self, folder):
        self.folder = folder
        self.rank = dist.get_rank()
        self.world_size = dist.get_world_size()

    def path(self, number):
        return os.path.join(self.folder, "part_{}.json".format(number))

    def dump(self, answers):
        with open(self.path(self.rank), "w") as file:  # expect: TL111
            json.dump(answers, file)

    def merge(self):
        answers = []
        for number in range(1, self.world_size):
            with open(self.path(number)) as file:
                answers += json.load(file)
        return answers

    def run(self, model, loader):
        self.dump([model(batch) for batch in loader])
        if self.rank != 0:
            return None
        return self.merge()


def main(args, model, loader):
    dist.init_process_group("nccl")
    return Collector(args.output_dir).run(model, loader)


def features(model, loader, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    np.save(f"{out}/features_{rank}.npy", np.stack([model(batch) for batch in loader]))  # expect: TL111
    if rank == 0:
        parts = [np.load(path) for path in sorted(glob.glob(f"{out}/features_*.npy"))]
        np.save(f"{out}/features.npy", np.concatenate(parts))


def predictions(model, loader, out):
    """Every rank reads all parts: each of them may come too early."""
    dist.init_process_group("gloo")
    with open("%s/%d.pkl" % (out, dist.get_rank()), "wb") as file:  # expect: TL111
        pickle.dump([model(batch) for batch in loader], file)
    found = []
    for number in range(dist.get_world_size()):
        with open("%s/%d.pkl" % (out, number), "rb") as file:
            found += pickle.load(file)
    return found


def found_by_a_pattern(found, out):
    accelerator = Accelerator()
    np.save(Path(out) / f"found_{accelerator.process_index}.npy", found)  # expect: TL111
    if accelerator.is_main_process:
        return [np.load(part) for part in sorted(Path(out).glob("found_*.npy"))]
    return None
