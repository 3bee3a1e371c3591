import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, **options):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.drop_kwargs = dict(p=options.get("dropout", 0.1))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        weights = (q @ k.transpose(-1, -2)).softmax(-1)
        weights = F.dropout(weights, **self.drop_kwargs)  # expect: TL713
        return weights @ v


def evaluate(model, loader):
    model.eval()
    return [model(x).argmax(-1) for x in loader]
