"""The parameters of what ran before the loop need no gradients: it has no graph."""

import torch
from torch import nn


def frozen(x, targets):
    encoder, head = nn.Linear(8, 8), nn.Linear(8, 2)
    for parameter in encoder.parameters():
        parameter.requires_grad = False
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    features = encoder(x)
    for target in targets:
        loss = nn.functional.cross_entropy(head(features), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
