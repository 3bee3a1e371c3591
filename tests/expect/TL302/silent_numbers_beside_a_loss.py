"""A number that a helper returns beside tensors is part of the loss, and of what is counted: it holds no graph."""

import numpy as np
import torch


def mixed(inputs, targets, alpha):
    if alpha > 0:
        weight = np.random.beta(alpha, alpha)
    else:
        weight = 1
    order = torch.randperm(inputs.size(0))
    return weight * inputs + (1 - weight) * inputs[order], targets, targets[order], weight


def weighed(criterion, outputs, first, second, weight):
    return weight * criterion(outputs, first) + (1 - weight) * criterion(outputs, second)


def train(model, loader, criterion, optimizer, alpha):
    right = 0
    for inputs, targets in loader:
        inputs, first, second, weight = mixed(inputs, targets, alpha)
        outputs = model(inputs)
        loss = weighed(criterion, outputs, first, second, weight)
        guessed = outputs.detach().argmax(1)
        right += weight * guessed.eq(first).sum() + (1 - weight) * guessed.eq(second).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return right
