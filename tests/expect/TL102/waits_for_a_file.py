"""Rank 0 of a node writes a port, the others look for it and give up with an error after a while: nobody is left behind."""

import time
from pathlib import Path

import torch.distributed as dist


def port_of(local_rank, place):
    if local_rank == 0:
        Path(place).write_text("29500")
        return 29500
    else:
        tries = 10
        while tries > 0:
            tries -= 1
            time.sleep(1)
            if not Path(place).exists():
                continue
            return int(Path(place).read_text())

        raise RuntimeError(f"no port for local rank {local_rank}")


def begin(local_rank, place):
    port = port_of(local_rank, place)
    dist.init_process_group("gloo", init_method=f"tcp://localhost:{port}")
    dist.barrier()


def refused(local_rank):
    if local_rank != 0:
        raise RuntimeError("only the first of a node")


def tried(local_rank):
    try:
        refused(local_rank)
    except RuntimeError:
        return
    dist.barrier()  # expect: TL102
