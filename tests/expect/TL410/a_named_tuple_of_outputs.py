"""Probabilities in a field of the named tuple that the model returns."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Output(NamedTuple):
    logits: Tensor
    hidden: Tensor


class Classifier(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.enc = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, n)

    def forward(self, x):
        h = self.enc(x).relu()
        return Output(logits=self.head(h).softmax(dim=1), hidden=h)  # expect: TL410


class Trainer:
    def __init__(self, model, loss_fn=F.cross_entropy):
        self.model = model
        self.loss_fn = loss_fn

    def step(self, batch):
        x, y = batch
        out = self.model(x)
        return self.loss_fn(out.logits, y)

    def fit(self, loader, opt):
        for batch in loader:
            opt.zero_grad()
            (loss := self.step(batch)).backward()
            opt.step()


def main(loader):
    model = Classifier(8, 3)
    Trainer(model).fit(loader, torch.optim.Adam(model.parameters()))
