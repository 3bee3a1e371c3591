"""Models whose output is a probability, for a loss that takes its logarithm: of one kind, of several, through a function."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(20, 784)

    def forward(self, z):
        return torch.sigmoid(self.fc(z))  # expect-likely: TL409


def elbo(z, x, mean, logvar):
    reconstruction = F.binary_cross_entropy(Decoder()(z), x.view(-1, 784), reduction="sum")
    return reconstruction - 0.5 * torch.sum(1 + logvar - mean.pow(2) - logvar.exp())


class Critic(nn.Module):
    def __init__(self, gpus):
        super().__init__()
        self.gpus = gpus
        self.main = nn.Sequential(
            nn.Conv2d(3, 1, 4),
            nn.Sigmoid(),  # expect-likely: TL409
        )

    def forward(self, images):
        if images.is_cuda and self.gpus > 1:
            return nn.parallel.data_parallel(self.main, images, range(self.gpus)).view(-1)  # expect: TL116
        return self.main(images).view(-1)


def judged(images, valid):
    nn.BCELoss()(Critic(2)(images), valid).backward()


class Chosen(nn.Module):
    def __init__(self, kind, width):
        super().__init__()
        layers = [nn.Linear(width, 64), nn.ReLU()]
        layers.extend([nn.Linear(64, 1)])
        if kind == "classification":
            layers.append(nn.Sigmoid())  # expect-likely: TL409
        self.layers = nn.Sequential(*layers)

    def forward(self, rows):
        return self.layers(rows)


def loss_of(kind):
    if kind == "classification":
        return nn.BCELoss(reduction="none")
    if kind == "regression":
        return nn.MSELoss(reduction="none")
    raise ValueError(kind)


def fit(kind, loader):
    model, loss_func = Chosen(kind, 16), loss_of(kind)
    for rows, wanted in loader:
        loss_func(model(rows), wanted).mean().backward()
