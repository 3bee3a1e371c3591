"""Rank 0 takes an archive apart, and the others list the folder without waiting."""

import os
import zipfile

import torch.distributed as dist


def begin(packed, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(folder)  # expect: TL111
    return sorted(os.listdir(folder))


def begin_together(packed, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(folder)
    dist.barrier()
    return sorted(os.listdir(folder))
