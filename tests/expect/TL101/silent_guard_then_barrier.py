"""Rank 0 goes first, then a barrier for all, then the others.

open-mmlab/mmcv @ bf6ba2587ba6 : mmcv/runner/checkpoint.py:285
jpata/particleflow @ db423305e54f : mlpf/pyg/training.py:279, :283
"""

import torch
import torch.distributed as dist


def load_from_http(url, fetch, rank, world_size):
    checkpoint = None
    if rank == 0:
        checkpoint = fetch(url)
    if world_size > 1:
        dist.barrier()
        if rank > 0:
            checkpoint = fetch(url)
    return checkpoint


def run_epoch(rank, world_size, model, validate):
    if (rank == 0) or (rank == "cpu"):
        validate(model)
    if world_size > 1:
        dist.barrier()


def save(rank, model, path):
    if rank == 0:
        torch.save(model.state_dict(), path)
        print("saved")
    dist.barrier()


def save_or_log(rank, model, path, logger):
    if rank == 0:
        torch.save(model.state_dict(), path)
    else:
        logger.debug("waiting for rank 0")
    dist.barrier()
