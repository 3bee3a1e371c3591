"""Correct: everybody has a trainer. Where nothing is imported from a library that has one, its name says nothing."""

import os
import shutil

import torch.distributed as dist
from seqkit.dataclass import CheckpointSettings


def keep(settings: CheckpointSettings, trainer, rounds, loss):
    if settings.rank == 0:
        os.makedirs(settings.folder, exist_ok=True)
    trainer.gather_optimizer()
    if not trainer.writes_here:
        return
    names = [f"round_{rounds}.pt"] if rounds % settings.every == 0 else []
    if names:
        trainer.save_checkpoint(os.path.join(settings.folder, names[0]), {"loss": loss})
        for name in names[1:]:
            shutil.copy(names[0], name)


def by_the_rank(trainer, folder):
    if dist.get_rank() != 0:
        return
    trainer.save_checkpoint(os.path.join(folder, "last.pt"))
