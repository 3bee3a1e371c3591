"""Leaving early when a file is there, or when it is not: nobody makes it in the meantime, or all have asked before."""

import json
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def restore(model, folder):
    """It is not there: there is nothing to do for anybody. It is only read by rank 0."""
    path = Path(folder) / "optimizer.pt"
    if not path.is_file():
        print(f"no optimizer at {path}")
        return None
    full = None
    if dist.get_rank() == 0:
        full = torch.load(path)
    return FSDP.scatter_full_optim_state_dict(full, model)


def made_by_all(path, compute):
    if os.path.exists(path):
        return torch.load(path)
    found = compute()
    dist.barrier()
    if dist.get_rank() == 0:
        torch.save(found, path)
    return found


def refused(folder, state, config):
    """The file that is in the way is read by nobody: this is a check of the arguments."""
    if os.path.isfile(folder):
        print("a file is in the way:", folder)
        return
    if dist.get_rank() == 0:
        config.save_pretrained(folder)
    dist.barrier()
    torch.save(state, f"{folder}/{dist.get_rank()}.pt")


def asked_by_one(path, compute):
    if dist.get_rank() == 0 and not os.path.exists(path):
        torch.save(compute(), path)
    dist.barrier()
    return torch.load(path)


def told(path, compute):
    there = [os.path.exists(path)]
    dist.broadcast_object_list(there, src=0)
    if there[0]:
        return torch.load(path)
    if dist.get_rank() == 0:
        torch.save(compute(), path)
    dist.barrier()
    return torch.load(path)


def another_file(path, compute):
    if os.path.exists(path):
        return json.loads(Path(path).read_text())
    if dist.get_rank() == 0:
        torch.save(compute(), "started.pt")
    dist.barrier()
    return compute()


def results(path):
    with open(path) as file:
        return json.load(file)


def named_after_the_round(folder, tasks, compute, reuse):
    """What the main process says of a file that it has read is no work on it; what it makes is behind the collective of all."""
    for name in tasks:
        path = os.path.join(folder, f"{name}.json")
        if reuse and os.path.exists(path):
            found = results(path)
            if dist.get_rank() == 0:
                print("found", found)
            continue
        score = compute(name)
        dist.all_reduce(score)
        if dist.get_rank() == 0:
            Path(path).write_text(json.dumps({"score": score.item()}))


def shown_and_left(folder, compute):
    """The main process reads what is there and all leave; what is made is made behind the collective of all."""
    path = Path(folder) / "found.json"
    if path.exists():
        if dist.get_rank() == 0:
            with open(path) as file:
                print(json.load(file))
        dist.barrier()
        dist.destroy_process_group()
        return
    dist.barrier()
    part = compute()
    dist.barrier()
    if dist.get_rank() == 0:
        with open(path, "w") as file:
            json.dump(part, file)
    dist.barrier()
