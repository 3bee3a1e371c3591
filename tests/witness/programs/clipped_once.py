"""Gradients far above the limit that they are clipped to."""

import torch


def train(steps):
    torch.manual_seed(0)
    layer = torch.nn.Linear(4, 1)
    weights = layer.parameters()  # expect: TL715
    optimizer = torch.optim.SGD(weights, lr=0.0)
    norms = []
    for _ in range(steps):
        optimizer.zero_grad()
        (1000 * layer(torch.ones(2, 4)).sum()).backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        norms.append(torch.cat([weight.grad.flatten() for weight in layer.parameters()]).norm().item())
    return norms
