"""In the source of a library: what all ranks have to call is a method like any other."""

import os
import shutil
from dataclasses import dataclass, field

import torch


@dataclass
class Settings:
    folder: str = field(default=None)
    numbered: bool = field(default=False)
    limit: int = field(default=None)


class Accelerator:
    def __init__(self, settings=None):
        self.settings = settings if settings is not None else Settings()

    def save_state(self, output_dir=None, **kwargs):
        if self.settings.numbered:
            output_dir = os.path.join(self.settings.folder, "checkpoints")
        os.makedirs(output_dir, exist_ok=True)
        if self.settings.numbered:
            folders = [os.path.join(output_dir, name) for name in os.listdir(output_dir)]
            if self.settings.limit is not None and len(folders) + 1 > self.settings.limit:
                folders.sort()
                for folder in folders[: len(folders) + 1 - self.settings.limit]:
                    shutil.rmtree(folder)  # expect: TL112
        torch.distributed.barrier()
