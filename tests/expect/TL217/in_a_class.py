"""The loaders of a trainer, prepared one by one."""

from accelerate import Accelerator
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, dataset, workers):
        self.accelerator = Accelerator(gradient_accumulation_steps=4)
        self.sampler = DistributedSampler(dataset, drop_last=True)
        options = {"num_workers": workers, "pin_memory": True}
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.sampler, **options)  # expect: TL217
        self.validation = DataLoader(dataset, batch_size=4, **options)
        self.model = self.accelerator.prepare(model)
        self.loader = self.accelerator.prepare(self.loader)
        self.validation = self.accelerator.prepare(self.validation)
