"""Models whose output is a probability, losses that are only measured, and other ends."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(20, 784)

    def forward(self, z):
        return torch.sigmoid(self.fc(z))


def elbo(z, x, mean, logvar):
    reconstruction = F.binary_cross_entropy(Decoder()(z), x.view(-1, 784), reduction="sum")
    return reconstruction - 0.5 * torch.sum(1 + logvar - mean.pow(2) - logvar.exp())


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(784, 512), nn.LeakyReLU(0.2), nn.Linear(512, 1), nn.Sigmoid())

    def forward(self, image):
        return self.model(image.view(image.size(0), -1))


def adversarial(images, valid):
    adversarial_loss = torch.nn.BCELoss()
    discriminator = Discriminator()
    adversarial_loss(discriminator(images), valid).backward()


def tested(model, loader, loss_fn=nn.BCELoss()):
    model.eval()
    scores, labels = [], []
    with torch.no_grad():
        for x, y in loader:
            scores.append(model(x))
            labels.append(y)
        probabilities = torch.sigmoid(torch.cat(scores)).float()
        return loss_fn(probabilities, torch.cat(labels)).item()


def clamped(model, x, y):
    return F.binary_cross_entropy(torch.sigmoid(model(x)).clamp(1e-6, 1 - 1e-6), y)
