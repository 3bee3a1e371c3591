"""Local ranks: one process a node is still only some of the ranks."""

import os

import torch.distributed as dist
from accelerate import Accelerator


def unpack(archive, local_rank):
    if local_rank == 0:
        archive.extractall("/tmp/data")
        dist.barrier()  # expect: TL101


def unpack_or_single(archive, args):
    if args.local_rank <= 0:
        archive.extractall("/tmp/data")
        dist.barrier()  # expect: TL101


def from_environment(archive):
    if int(os.environ["LOCAL_RANK"]) == 0:
        archive.extractall("/tmp/data")
        dist.barrier()  # expect: TL101


def get_local_rank():
    return int(os.environ.get("LOCAL_RANK", 0))


def from_helper(archive):
    if get_local_rank() == 0:
        archive.extractall("/tmp/data")
        dist.barrier()  # expect: TL101


def with_accelerate(accelerator: Accelerator, archive):
    if accelerator.is_local_main_process:
        archive.extractall("/tmp/data")
        accelerator.wait_for_everyone()  # expect: TL101


def node_rank(archive, machine):
    machine = dist.get_node_local_rank()
    if machine == 0:
        dist.barrier()  # expect: TL101
