"""One rank puts the parts together, and looks for them until all are there. No finding."""

import json
import time
from pathlib import Path

import torch.distributed as dist


def write(content, path):
    with open(path, "w") as file:
        json.dump(content, file)


def collect(folder, count, patience):
    begin = time.time()
    while time.time() - begin < patience:
        parts = list(folder.glob("part_*.json"))
        if len(parts) < count:
            continue
        return [json.loads(part.read_text()) for part in parts]
    raise TimeoutError(folder)


def evaluate(model, batches, folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    folder = Path(folder)
    write([model(batch).tolist() for batch in batches], folder.joinpath(f"part_{rank}.json"))
    if rank == 0:
        print(collect(folder, dist.get_world_size(), 600))
