"""A sigmoid for the loss alone, in functions and classes of losses."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import binary_cross_entropy


class Reconstruction(nn.Module):
    def forward(self, logits, images):
        return F.binary_cross_entropy(torch.sigmoid(logits).view(-1, 784), images.view(-1, 784), reduction="sum")  # expect: TL409


def imported(logits, labels):
    return binary_cross_entropy(logits.sigmoid(), labels)  # expect: TL409


def per_class(model, images, labels, weights):
    predicted = F.sigmoid(model(images))
    loss = torch.zeros(())
    for index, weight in enumerate(weights):
        loss = loss + weight * F.binary_cross_entropy(predicted[:, index], labels[:, index])
    return loss + nn.BCELoss()(predicted, labels)  # expect: TL409
