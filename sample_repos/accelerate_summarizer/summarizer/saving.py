"""States to continue from, and the model for publication."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch
from accelerate import Accelerator


class StateKeeper:
    """Keeps the newest states of a run."""

    def __init__(self, accelerator: Accelerator, folder: Path, limit: int = 2) -> None:
        self.accelerator = accelerator
        self.folder = folder
        self.limit = limit

    def keep(self, epoch: int) -> None:
        """Write the state of an epoch, and drop what is too old."""
        if self.accelerator.is_main_process:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.accelerator.save_state(str(self.folder / f"epoch_{epoch:04d}"))  # expect: TL106
        self.drop_old()

    def drop_old(self) -> None:
        """Remove all states but the newest, when nobody writes any more."""
        if not self.accelerator.is_local_main_process:
            return
        self.accelerator.wait_for_everyone()  # expect: TL102
        for old in sorted(self.folder.glob("epoch_*"))[: -self.limit]:
            shutil.rmtree(old, ignore_errors=True)


def publish(accelerator: Accelerator, model: torch.nn.Module, folder: Path) -> None:
    """Write the model as ``transformers`` reads it; all processes have to call this, the main one writes."""
    accelerator.wait_for_everyone()
    accelerator.unwrap_model(model).save_pretrained(
        folder,
        is_main_process=accelerator.is_main_process,
        save_function=accelerator.save,
        state_dict=accelerator.get_state_dict(model),
    )
