import torch.nn as nn


class DiceAndCrossEntropy(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight
        self.bce = nn.BCELoss()

    def forward(self, predicted, target):
        overlap = (predicted * target).sum()
        dice = 1 - (2 * overlap + 1) / (predicted.sum() + target.sum() + 1)
        return self.weight * dice + (1 - self.weight) * self.bce(predicted, target)  # expect: TL408
