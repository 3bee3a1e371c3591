"""One kind of engine."""

import torch
from engine import Engine


class Softmax(Engine):
    def __init__(self, model, optimizer, schedule):
        super().__init__({"model": model}, {"model": optimizer}, {"model": schedule})
        self.model, self.optimizer = model, optimizer

    def forward_backward(self, batch):
        loss = torch.nn.functional.cross_entropy(self.model(batch["image"]), batch["label"])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    Softmax(model, optimizer, torch.optim.lr_scheduler.StepLR(optimizer, 20)).run(loader, 60)
