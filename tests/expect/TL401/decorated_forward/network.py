"""Models whose forward pass asks for autocast itself."""

import torch
from torch import nn


class Decorated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(16, 16)

    @torch.cuda.amp.autocast()  # expect: TL401
    def forward(self, x):
        return self.layers(x)


class Partly(nn.Module):
    """Only the norm is kept out of autocast; what is around decides."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(16, 16)

    def forward(self, x):
        with torch.autocast("cuda", enabled=False):
            x = self.layers(x.float())
        return x
