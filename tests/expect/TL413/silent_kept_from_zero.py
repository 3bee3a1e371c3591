"""What is kept from 0, tested, or only predicts."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

EPS = torch.finfo(torch.float32).eps


class Attend(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return x / self.norm(x)


def unit(x):
    return x / torch.maximum(x.norm(dim=-1, keepdim=True), torch.tensor(1e-6)), x / (1e-6 + x.norm())


def returns(found):
    return (found - found.mean()) / (found.std() + EPS)


def several(found):
    if len(found) > 1 and found.std() > 0:
        found = (found - found.mean()) / found.std()
    return found


def index(model, loader):
    found = []
    with torch.no_grad():
        for batch in loader:
            features = model(batch)
            found.append(features / features.norm(dim=-1, keepdim=True))
    return torch.cat(found)


def trust(weights, gradients):
    return weights.norm() / gradients.norm(), weights * (weights.norm() / gradients.norm())


def in_numpy(x):
    return x / np.linalg.norm(x), (x - x.mean()) / np.std(x), F.normalize(torch.from_numpy(x), dim=-1)
