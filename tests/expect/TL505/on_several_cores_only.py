"""The loader that ends the steps is left out on one core, and nothing else ends them."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


class Trainer:
    def __init__(self, model, optimizer, use_tpu, tpu_id=None):
        self.model, self.optimizer = model, optimizer
        self.use_tpu, self.tpu_id = use_tpu, tpu_id

    def fit(self, loader):
        if self.use_tpu and self.tpu_id is None:
            device = xm.xla_device()
            loader = pl.ParallelLoader(loader, [device])  # expect: TL505
            loader = loader.per_device_loader(device)
        for batch in loader:
            self.optimizer.zero_grad()
            self.model(batch).sum().backward()
            self.step()

    def evaluate(self, loader):
        if self.use_tpu:
            if self.tpu_id is None:
                device = xm.xla_device()
                loader = pl.ParallelLoader(loader, [device])  # expect: TL505
                loader = loader.per_device_loader(device)
        with torch.no_grad():
            return [self.model(batch) for batch in loader]

    def step(self):
        if self.use_tpu:
            xm.optimizer_step(self.optimizer)
        else:
            self.optimizer.step()
