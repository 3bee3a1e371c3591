"""Ten well separated classes, one sample each, which a linear layer can learn by heart."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(10, 10)

    def forward(self, samples):
        return torch.softmax(self.out(samples), dim=1)  # expect: TL410


def train(steps):
    torch.manual_seed(0)
    model, criterion = Classifier(), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=10.0)
    samples, labels = torch.eye(10), torch.arange(10)
    losses = []
    for _ in range(steps):
        loss = criterion(model(samples), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
