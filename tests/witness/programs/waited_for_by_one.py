"""Two ranks; one writes a file, the other waits for it."""

import os
from datetime import timedelta

import torch.distributed as dist


def main():
    dist.init_process_group("gloo", timeout=timedelta(seconds=5))
    if dist.get_rank() == 0:
        with open(os.environ["WITNESS_FILE"], "w") as file:
            file.write("written")
    else:
        dist.barrier()  # expect: TL101
    with open(os.environ["WITNESS_FILE"]) as file:
        print(file.read())
