"""Trains with whatever loss the settings name, on XLA when it is told to."""

import torch
from registry import build_loss


class Trainer:
    def __init__(self, settings, model):
        self.on_tpu = settings.tpu
        self.model, self.loss = model, build_loss(settings)
        self.optimizer = torch.optim.Adam(model.parameters())

    def step(self, samples):
        for sample in samples:
            loss, size, logged = self.loss(self.model, sample)
            loss.backward()
            if self.on_tpu:
                import torch_xla.core.xla_model as xm

                xm.mark_step()
        self.optimizer.step()
        self.optimizer.zero_grad()


def main(settings, model, batches):
    trainer = Trainer(settings, model)
    for samples in batches:
        trainer.step(samples)
