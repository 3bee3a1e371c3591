"""A model that one method runs without gradients: who else has the model runs it with them."""

import torch
import torch.nn.functional as F
from torch import nn


class Codes(nn.Module):
    def __init__(self, width, tokens):
        super().__init__()
        self.encoder = nn.Linear(width, tokens)

    @torch.no_grad()
    def indices(self, images):
        return self.forward(images, True).argmax(dim=1)

    def forward(self, images, logits_only=False):
        logits = self.encoder(images)
        if logits_only:
            return logits
        chance = F.softmax(logits, dim=-1)
        return F.kl_div(torch.log(chance + 1e-10), torch.full_like(chance, 0.1), reduction="batchmean")  # expect: TL411
