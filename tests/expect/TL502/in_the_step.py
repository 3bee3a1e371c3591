"""What a training step itself does with its batch, moved to the device by hand."""

import torch
import torch_xla


class Trainer:
    def __init__(self, model, optimizer):
        self.device = torch_xla.device()
        self.model = model.to(self.device)
        self.optimizer = optimizer

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.loss(x.to(self.device), y.to(self.device))
            loss.backward()
            self.optimizer.step()
            torch_xla.sync()

    def loss(self, x, y):
        scores = torch.relu(x)
        valid = torch.logical_and(y > 0, y < 9)
        chosen = torch.masked_select(scores, valid)  # expect: TL502
        kinds, counts = y.unique(return_counts=True)  # expect: TL502
        return self.model(chosen, kinds) + self.picked(scores, valid).mean()

    def picked(self, scores, valid):
        return scores[valid]  # expect: TL502
