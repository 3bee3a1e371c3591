import torch
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.utils.data import DataLoader


class Trainer:
    """Trains on GPUs, or on XLA when it is told to."""

    def __init__(self, model, data, backend):
        self.use_xla = backend == "xla"
        if self.use_xla:
            import torch_xla.core.xla_model as xm
            import torch_xla.distributed.parallel_loader as pl

            self.xm, self.pl = xm, pl
            self.device = xm.xla_device()
        else:
            self.device = torch.device("cuda")
        self.model = FullyShardedDataParallel(model) if not self.use_xla else model.to(self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.loader = DataLoader(data, batch_size=8, drop_last=True)

    def train(self, epochs):
        for _ in range(epochs):
            if self.use_xla:
                batches = self.pl.MpDeviceLoader(self.loader, self.device)
            else:
                batches = self.loader
            for batch in batches:
                if batch is None:
                    continue
                if not self.use_xla:
                    batch = {name: value.to(self.device) for name, value in batch.items()}
                out = self.model(batch["ids"], batch["mask"], targets=batch["targets"])
                out["loss"].backward()
                first, last = out["span"]
                self.report(out["loss"].detach()[first:last])
                if self.use_xla:
                    self.xm.optimizer_step(self.optimizer)
                else:
                    self.optimizer.step()
                self.optimizer.zero_grad()

    def report(self, numbers):
        self.numbers = numbers
