"""A model and a loss that a task chooses, of which no choice wants probabilities."""

import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, pretraining, width, words):
        super().__init__()
        self.pretraining = pretraining
        self.inner, self.words = nn.Linear(width, width), nn.Linear(width, words)

    def forward(self, rows):
        rows = F.relu(self.inner(rows))
        if self.pretraining:
            return F.softmax(self.words(rows), dim=-1)  # expect-likely: TL410
        return rows.mean(dim=0)


def loss_of(task):
    if task == "classification":
        return nn.BCEWithLogitsLoss()
    if task == "regression":
        return nn.MSELoss()
    return nn.CrossEntropyLoss()


def fit(task, loader):
    model, criterion = Encoder(task == "words", 64, 1000), loss_of(task)
    for rows, wanted in loader:
        criterion(model(rows), wanted).backward()
