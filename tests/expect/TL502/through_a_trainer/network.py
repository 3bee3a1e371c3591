import torch
import torch.nn.functional as F
from torch import nn


class Network(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.layer = nn.Linear(settings.width, settings.width)

    def forward(self, ids, mask, targets=None):
        return self.whole(ids, mask, targets)

    def whole(self, ids, mask, targets):
        hidden = self.layer(ids)
        labels = targets[:, 1:].clone()
        labels[mask[:, 1:] == 0] = -100  # expect: TL502
        padding = (mask == 0).to(hidden.dtype)
        if padding.any():  # expect: TL502
            hidden = hidden - padding
        kept = torch.ones(ids.shape, device=ids.device) > 0
        loss = F.cross_entropy(hidden[kept], labels)  # expect: TL502
        return {"loss": loss, "span": (2, 5)}


class Tidy(nn.Module):
    """The same with shapes that stay."""

    def __init__(self, settings):
        super().__init__()
        self.layer = nn.Linear(settings.width, settings.width)

    def forward(self, ids, mask, targets=None):
        hidden = self.layer(ids)
        labels = targets[:, 1:].masked_fill(mask[:, 1:] == 0, -100)
        padding = (mask == 0).to(hidden.dtype)
        hidden = torch.where(padding > 0, hidden, torch.zeros_like(hidden))
        loss = F.cross_entropy(hidden.flatten(0, 1), labels.flatten())
        return {"loss": loss, "span": (2, 5)}
