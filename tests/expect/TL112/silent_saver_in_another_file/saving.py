import os

import torch
import torch.distributed as dist


class Saver:
    def __init__(self, folder, main):
        self.folder = folder
        self.main = main

    def __call__(self, model, epoch):
        if not self.main:
            return
        os.makedirs(self.folder, exist_ok=True)
        torch.save(model.state_dict(), os.path.join(self.folder, f"{epoch}.pt"))


def save_on_first(*args, **kwargs):
    if dist.is_initialized() and dist.get_rank() != 0:
        return
    torch.save(*args, **kwargs)
