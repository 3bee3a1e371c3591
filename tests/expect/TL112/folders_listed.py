"""Every rank lists the same folder and deletes what it finds: the slower ones find it gone."""

import glob
import os
import shutil
from pathlib import Path

import torch.distributed as dist


def number(path):
    return int(str(path).rpartition("-")[2])


def checkpoints(folder):
    found = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("step-")]
    return sorted(found, key=number)


def prune(folder, limit):
    old = checkpoints(folder)
    for path in old[: len(old) - limit]:
        shutil.rmtree(path)  # expect: TL112


def rotate(folder, limit):
    names = [name for name in os.listdir(folder) if name.startswith("checkpoint")]
    names.sort(key=number)
    if len(names) >= limit:
        for name in names[0 : len(names) - limit + 1]:
            gone = os.path.join(folder, name)
            shutil.rmtree(gone)  # expect: TL112


def train(args, model, loader, fit):
    dist.init_process_group("nccl")
    for stale in sorted(glob.glob(args.output_dir + "/*.tmp"))[:-1]:
        os.remove(stale)  # expect: TL112
    for page in sorted(Path(args.output_dir).glob("*.html")):
        page.unlink()  # expect: TL112
    for epoch in range(args.epochs):
        fit(model, loader, epoch)
        prune(args.output_dir, args.keep)
        rotate(args.output_dir, args.keep)
    oldest = os.listdir(args.output_dir)[0]
    os.remove(os.path.join(args.output_dir, oldest))  # expect: TL112
