"""Gradients are emptied for each part of a window, and once more: before the backward pass, or behind the step."""

import torch


class Trainer:
    def __init__(self, model, waits):
        self.model = model
        self.waits = waits
        self.optimizer = torch.optim.Adam(model.parameters())

    def part(self, batch):
        loss = self.model(batch).sum()
        loss.backward()
        return loss.detach()

    def behind_the_step(self, batches):
        for batch in batches:
            self.optimizer.zero_grad()  # expect: TL702
            self.part(batch)
        self.optimizer.step()
        self.optimizer.zero_grad()

    def if_it_steps(self, batches):
        for batch in batches:
            self.optimizer.zero_grad()  # expect: TL702
            self.part(batch)
        if not self.waits:
            self.optimizer.step()
            self.optimizer.zero_grad()

    def twice_in_a_row(self, batches):
        for batch in batches:
            self.model.zero_grad()
            self.optimizer.zero_grad()  # expect: TL702
            self.part(batch)
        self.optimizer.step()

    def before_the_window(self, batches):
        self.optimizer.zero_grad()
        for batch in batches:
            self.part(batch)
        self.optimizer.step()
        self.optimizer.zero_grad()

    def behind_the_step_of_each(self, batches):
        for batch in batches:
            self.optimizer.zero_grad()
            self.part(batch)
            self.optimizer.step()
            self.optimizer.zero_grad()
