"""Checkpoints: gathered by all processes, written by one."""

from __future__ import annotations

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)

from .dist_env import ProcessInfo
from .settings import TrainSettings


class CheckpointStore:
    """The checkpoints of a run."""

    def __init__(self, settings: TrainSettings, info: ProcessInfo) -> None:
        self.folder = settings.output_folder
        self.is_main = info.is_main

    def write_epoch(self, model: nn.Module, optimizer: torch.optim.Optimizer, schedule, epoch: int) -> None:
        """Gather the sharded state and write it."""
        options = StateDictOptions(full_state_dict=True, cpu_offload=True)
        content = {
            "model": get_model_state_dict(model, options=options),
            "optimizer": get_optimizer_state_dict(model, optimizer, options=options),
            "schedule": schedule.state_dict(),
            "epoch": epoch,
        }
        if not self.is_main:
            return
        target = self.folder / f"epoch_{epoch:04d}.pt"
        torch.save(content, target.with_suffix(".tmp"))
        os.replace(target.with_suffix(".tmp"), target)
        for outdated in sorted(self.folder.glob("epoch_*.pt"))[:-3]:
            outdated.unlink()
        dist.barrier()  # expect: TL102

    def restore_epoch(self, epoch: int, model: nn.Module, optimizer: torch.optim.Optimizer, schedule) -> int:
        """Load the checkpoint of an epoch from rank 0 into all shards; returns the next epoch."""
        self.require(epoch)
        stored = {"model": {}, "optimizer": {}, "schedule": None, "epoch": -1}
        if self.is_main:
            path = self.folder / f"epoch_{epoch:04d}.pt"
            stored = torch.load(path, map_location="cpu", weights_only=True)
        header = [stored["schedule"], stored["epoch"]]
        dist.broadcast_object_list(header, src=0)
        options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
        set_model_state_dict(model, stored["model"], options=options)
        set_optimizer_state_dict(model, optimizer, stored["optimizer"], options=options)
        schedule.load_state_dict(header[0])
        return header[1] + 1

    def require(self, epoch: int) -> None:
        """Raise when the checkpoint of an epoch is not there."""
        path = self.folder / f"epoch_{epoch:04d}.pt"
        if self.is_main and not path.exists():
            raise FileNotFoundError(path)
        dist.barrier()
