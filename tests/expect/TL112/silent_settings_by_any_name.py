"""Settings of which each is what it is by default, or set by its own name; and a folder of a rank."""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.distributed as dist


@dataclass
class Fixed:
    root: str = "out"
    enabled: bool = False


@dataclass
class Sharding:
    root: str = "out"
    dist_rank: int = 0
    enabled: bool = False


def update(config, options):
    for key, value in options.items():
        setattr(config, key, value)


def fixed(model):
    """Nobody turns it on."""
    config = Fixed()
    setattr(config, "root", "there")  # noqa: B010
    dist.init_process_group("nccl")
    if config.enabled:
        torch.save(model.state_dict(), config.root + "/model.pt")


def of_a_rank(model, options):
    config = Sharding()
    update(config, options)
    dist.init_process_group("nccl")
    if config.enabled:
        torch.save(model.state_dict(), Path.cwd() / f"{config.root}/{config.dist_rank}.pt")
