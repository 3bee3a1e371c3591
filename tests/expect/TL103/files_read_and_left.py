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


def opened(folder, scan):
    """As in FastVideo before it was mended: read in a `with`, and in a `try`; the function calls itself at the end."""
    path = os.path.join(folder, "info.json")
    if os.path.exists(path):
        try:
            with open(path) as file:
                return json.load(file)
        except ValueError:
            print("scanning again")
    if dist.get_rank() == 0:
        with open(path, "w") as file:
            json.dump(scan(folder), file)
    if dist.get_world_size() > 1:
        dist.barrier()  # expect: TL103
    return opened(folder, scan)


def opened_without_a_net(path, scan):
    if os.path.isfile(path):
        with open(path) as file:
            return json.load(file)
    if dist.get_rank() == 0:
        with open(path, "w") as file:
            json.dump(scan(), file)
    dist.barrier()  # expect: TL103
    with open(path) as file:
        return json.load(file)


def opened_by_one(path, scan):
    if dist.get_rank() == 0:
        if not os.path.exists(path):
            with open(path, "w") as file:
                json.dump(scan(), file)
    dist.barrier()
    with open(path) as file:
        return json.load(file)


def opened_where_it_belongs_to_others(path, scan):
    if os.path.exists(path):
        with open(path) as file:
            return json.load(file)
    dist.barrier()
    return scan()
