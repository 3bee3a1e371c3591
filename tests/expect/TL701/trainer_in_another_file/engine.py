"""The parts of a step, each in a method."""

import torch


class Engine:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=rate)

    def backward(self, loss):
        loss.backward()

    def update(self, limit):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit)
        self.optimizer.step()  # expect: TL701
