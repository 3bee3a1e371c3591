"""Trains whatever model it is given, on XLA when it is told to."""

import torch

import helpers


class Trainer:
    def __init__(self, settings, model, task):
        self.on_tpu = settings.tpu
        self.model, self.task = model, task
        self.optimizer = torch.optim.Adam(model.parameters())

    def step(self, samples):
        for sample in samples:
            loss = self.task.loss_of(self.model, sample)
            loss.backward()
            if self.on_tpu:
                import torch_xla.core.xla_model as xm

                xm.mark_step()
        self.optimizer.step()


def main(settings, task):
    helpers.announce(settings)
    trainer = Trainer(settings, task.make(settings), task)
    for samples in task.batches():
        trainer.step(samples)
        trainer.zero_grad()
