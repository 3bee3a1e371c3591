"""A class of the project has a method of that name."""

import torch
import torch.distributed as dist


class Packed:
    def __init__(self, parts):
        self.parts = parts

    def full_tensor(self):
        return torch.cat(self.parts)


class Other:
    def full_tensor(self):
        return torch.zeros(1)


def save(packed):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        if hasattr(packed, "full_tensor"):
            torch.save(packed.full_tensor(), "whole.pt")
