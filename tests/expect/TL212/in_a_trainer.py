"""The validation of a trainer; results are put together by a helper of another function."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, validation):
        self.model = model
        order = DistributedSampler(validation, shuffle=False)
        self.validation = DataLoader(validation, batch_size=8, sampler=order, num_workers=4)  # expect: TL212

    def validate(self):
        total = torch.zeros(1)
        with torch.no_grad():
            for images, labels in self.validation:
                total += self.model(images, labels)
        dist.all_reduce(total, op=dist.ReduceOp.SUM)
        return total.item()
