"""An average over all ranks."""

import torch
import torch.distributed as dist


class Meter:
    def __init__(self):
        self.values = []

    def update(self, value):
        tensor = torch.tensor([float(value)])
        dist.all_reduce(tensor)
        self.values.append(tensor.item() / dist.get_world_size())
