"""The trainer, with a loss that is one of several terms."""

import torch
from torch import nn
from unet import UNet


def dice_loss(probabilities, masks):
    return 1 - 2 * (probabilities * masks).sum() / (probabilities.sum() + masks.sum() + 1e-6)


class Trainer:
    def __init__(self, loader):
        self.model = UNet(3)
        self.criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(3.0))
        self.optimizer = torch.optim.RMSprop(self.model.parameters())
        self.loader = loader

    def run(self):
        for images, masks in self.loader:
            predicted = self.model(images)
            loss = self.criterion(predicted, masks) + dice_loss(predicted, masks)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
