"""The norms of the gradients stay on the device, or are fetched now and then, or not on XLA."""

import torch
import torch_xla.core.xla_model as xm

from norms import clip_grad_norm_, look_at, norms_of, step_of_others


class Trainer:
    def __init__(self, model, optimizer, on_xla):
        self.model, self.optimizer, self.on_xla = model, optimizer, on_xla

    def train_step(self, batch, number):
        self.model(batch).sum().backward()
        norm = clip_grad_norm_(self.model.parameters(), 1.0)
        if number % 100 == 0:
            print(norms_of(self.model))
        look_at(self.model, self.optimizer.debug)
        if self.on_xla:
            self.optimizer.step()
            xm.mark_step()
        else:
            step_of_others(self.model, self.optimizer)
        return norm


def plain(model, optimizer, batch):
    model(batch).sum().backward()
    step_of_others(model, optimizer)


def gathered(model):
    return torch.stack([p.grad.norm() for p in model.parameters()]).norm().item()
