"""As in dlrover's nanogpt: the model makes its optimizer itself, by two groups of parameters."""

import torch
from torch import nn


class GPT(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.head = nn.Linear(width, width)

    def forward(self, x):
        return self.head(x)

    def configure_optimizers(self, decay, rate):
        named = {name: p for name, p in self.named_parameters() if p.requires_grad}
        wide, narrow = [], []
        for p in named.values():
            if p.dim() >= 2:
                wide.append(p)
            else:
                narrow.append(p)
        groups = [{"params": wide, "weight_decay": decay}, {"params": narrow, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=rate)  # expect: TL118
