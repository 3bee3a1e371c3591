"""The same two steps where a probability is rounded to 0."""

import torch
import torch.nn.functional as F


def train(steps):
    logits = torch.tensor([[200.0, 0.0]], requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = F.nll_loss(logits.softmax(dim=1).log(), torch.tensor([1]))  # expect: TL411
        (gradient,) = torch.autograd.grad(loss, logits)
        logits = (logits - 1.0 * gradient).detach().requires_grad_()
        losses.append(loss.item())
    return losses
