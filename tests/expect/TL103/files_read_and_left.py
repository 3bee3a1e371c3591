"""Who finds the cache reads it and leaves; who misses it waits for rank 0 to make it. A rank that asks late waits for nobody."""

import json
import os
from pathlib import Path

import torch
import torch.distributed as dist


def statistics(root, compute):
    path = Path(root) / "statistics.json"
    if path.is_file():
        return json.loads(path.read_text())
    if dist.get_rank() == 0:
        path.write_text(json.dumps(compute()))
    dist.barrier()  # expect: TL103
    return json.loads(path.read_text())


def features(folder, split, compute):
    cached = os.path.join(folder, f"{split}.pt")
    if os.path.exists(cached):
        return torch.load(cached)
    if dist.get_rank() == 0:
        torch.save(compute(split), cached)
    dist.barrier()  # expect: TL103
    return torch.load(cached)


def read(path):
    with open(path) as file:
        return file.read().split()


def write(words, path):
    with open(path, "w") as file:
        file.write(" ".join(words))


def vocabulary(path, count):
    if os.path.isfile(path):
        words = read(path)
        return set(words)
    words = count()
    if dist.get_rank() == 0:
        write(words, path)
    dist.barrier()  # expect: TL103
    return set(words)


def results(path):
    with open(path) as file:
        return json.load(file)


def taken_away_by_one(folder, tasks, compute, reuse):
    for name in tasks:
        path = os.path.join(folder, f"{name}.json")
        if reuse and os.path.exists(path):
            found = results(path)
            if dist.get_rank() == 0:
                print("found", found)
                os.remove(os.path.abspath(path))
            continue
        score = compute(name)
        dist.all_reduce(score)  # expect: TL103
