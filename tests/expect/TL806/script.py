"""A script's main block, marks for a timeline that nobody turns off, a trainer that records each function, schedules that are None."""

import pytorch_lightning as pl
import torch
import torch.autograd.profiler as profiler
from pytorch_lightning.profilers import AdvancedProfiler


class Trainer:
    def __init__(self, model, loader, optimizer):
        self.model, self.loader, self.optimizer = model, loader, optimizer

    def run(self, epochs):
        for epoch in range(epochs):
            self.epoch(epoch)

    def epoch(self, epoch):
        for i, batch in enumerate(self.loader):
            self.optimizer.zero_grad()
            loss = self.model(batch).sum()
            if not torch.isfinite(loss):
                raise RuntimeError("loss is not finite")
            loss.backward()
            self.optimizer.step()


def marked(model, loader, optimizer):
    with profiler.emit_nvtx(record_shapes=True):  # expect: TL806
        for batch in loader:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()


def lightning(model, data):
    trainer = pl.Trainer(max_epochs=20, profiler="advanced")  # expect: TL806
    trainer.fit(model, data)


def lightning_with_object(model, data):
    pl.Trainer(max_epochs=20, profiler=AdvancedProfiler(dirpath=".")).fit(model, data)  # expect: TL806


def main(model, loader, optimizer):
    trainer = Trainer(model, loader, optimizer)
    with torch.profiler.profile(schedule=None, with_stack=True) as prof:  # expect: TL806
        trainer.run(10)
    print(prof.key_averages().table())
