"""An archive is taken apart by one rank, into a folder of each rank's own, or in no job at all; a pattern is no folder."""

import tarfile
import zipfile

import torch.distributed as dist


def by_rank_0(packed, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(folder)
    dist.barrier()


def of_each(packed):
    dist.init_process_group("nccl")
    with tarfile.open(packed) as archive:
        archive.extractall(f"unpacked_{dist.get_rank()}")


def alone(packed, folder):
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)


def numbers(table):
    dist.init_process_group("nccl")
    return table["name"].str.extractall(r"([0-9]+)")
