"""``left_early.py`` as its page repairs it."""

import os
from datetime import timedelta

import torch.distributed as dist


def save():
    if dist.get_rank() == 0:
        with open(os.environ["WITNESS_FILE"], "w") as file:
            file.write("written")
    dist.barrier()


def main():
    dist.init_process_group("gloo", timeout=timedelta(seconds=5))
    save()
    print("saved")
