"""The same, by one rank; and another method, which nobody has to call everywhere."""

import os
import shutil

import torch


class Accelerator:
    def __init__(self, settings=None):
        self.settings = settings
        self.process_index = torch.distributed.get_rank()

    @property
    def is_main_process(self):
        return self.process_index == 0

    def save_state(self, output_dir=None, **kwargs):
        os.makedirs(output_dir, exist_ok=True)
        folders = [os.path.join(output_dir, name) for name in os.listdir(output_dir)]
        if self.settings.limit is not None and len(folders) + 1 > self.settings.limit and self.is_main_process:
            for folder in folders[: len(folders) + 1 - self.settings.limit]:
                shutil.rmtree(folder)
        torch.save({}, os.path.join(output_dir, f"random_states_{self.process_index}.pkl"))

    def save(self, thing, path):
        torch.save(thing, path)

    def forget(self, folder):
        shutil.rmtree(folder)
