"""Two ranks; one has nothing to write and leaves before the barrier."""

import os
from datetime import timedelta

import torch.distributed as dist


def save():
    if dist.get_rank() != 0:
        return
    with open(os.environ["WITNESS_FILE"], "w") as file:
        file.write("written")
    dist.barrier()  # expect: TL102


def main():
    dist.init_process_group("gloo", timeout=timedelta(seconds=5))
    save()
    print("saved")
