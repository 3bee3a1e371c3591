"""A training that is correct, and says most of it in the ways of years ago."""

import torch
import torch.nn.functional as F
from torch import nn


def train(steps):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    images, labels = torch.randn(64, 8), torch.randint(0, 4, (64,))
    weights = torch.range(1, 4) * 0.25
    losses = []
    for _ in range(steps):
        optimizer.zero_grad(set_to_none=False)
        with torch.cuda.amp.autocast(enabled=False):
            scores = model(images)
        loss = F.nll_loss(torch.log(F.softmax(scores * weights, dim=1)), labels, size_average=True)  # expect: TL411
        smooth = torch.log(1 + torch.exp(-scores.abs())).mean()
        (loss + 0.1 * smooth).backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
