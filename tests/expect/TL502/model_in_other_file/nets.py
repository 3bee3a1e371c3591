import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, width)

    def forward(self, x, pad):
        hidden = self.first(x)
        if pad.any():  # expect: TL502
            hidden = torch.zeros_like(hidden)
        return hidden


class Tagger(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Encoder(width)
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        pad = x.eq(0).all(-1)
        hidden = self.encoder(x, pad)
        filled = (~pad).nonzero()  # expect: TL502
        kept = torch.nonzero(x)  # expect: TL502
        rows, columns = torch.where(x > 0)  # expect: TL502
        return self.last(hidden), kept, rows, filled
