"""torchrun's environment variables, read as text or as a number."""

import os
from os import environ, getenv

import torch.distributed as dist

RANK = int(os.environ.get("RANK", "-1"))
IS_WRITER = os.environ.get("RANK", "0") == "0"


def read_directly(shard):
    if int(os.environ["RANK"]) == 0:
        dist.all_reduce(shard)  # expect: TL101


def read_as_text(shard):
    if os.environ["RANK"] == "0":
        dist.all_reduce(shard)  # expect: TL101


def read_with_default(shard):
    if int(os.getenv("RANK", 0)) == 0:
        dist.all_reduce(shard)  # expect: TL101


def read_from_imported_names(shard):
    rank = int(environ.get("RANK") or 0)
    local = int(getenv("LOCAL_RANK", "0"))
    if rank == 0 and local == 0:
        dist.all_reduce(shard)  # expect: TL101


def module_constant(shard):
    if RANK == 0:
        dist.all_reduce(shard)  # expect: TL101


def module_flag(shard):
    if IS_WRITER:
        dist.all_reduce(shard)  # expect: TL101
