"""Outputs that an evaluation pass collects while gradients are recorded."""

import torch
from torch import nn

lossy = nn.MSELoss()


def predict(model, loader):
    model.eval()
    scores, classes, numbers = [], [], []
    for x in loader:
        output = model(x)
        scores.append(torch.softmax(output, dim=1))  # expect: TL301
        classes.append(output.argmax(1))
        numbers.append(output.detach().cpu())
    return torch.cat(scores), classes, numbers


def losses_of(model, loader):
    model.eval()
    losses = []
    for x, y in loader:
        losses.append(lossy(model(x), y))  # expect: TL301
    return losses


def guarded(model, loader):
    model.eval()
    scores = []
    for x in loader:
        with torch.no_grad():
            output = model(x)
        scores.append(output)
    return scores


def inference(fn):
    def wrapper(*args, **kwargs):
        with torch.inference_mode():
            return fn(*args, **kwargs)

    return wrapper


@inference
def home_made(model, loader):
    model.eval()
    scores = []
    for x in loader:
        scores.append(model(x))
    return scores


def attack(model, loader, epsilon):
    model.eval()
    images = []
    for x, y in loader:
        x.requires_grad = True
        loss = lossy(model(x), y)
        loss.backward()
        images.append(x + epsilon * x.grad.sign())
    return images


def saliency(model, loader):
    model.eval()
    maps = []
    for x in loader:
        output = model(x)
        maps.append(torch.autograd.grad(output.sum(), x)[0])
    return maps


if __name__ == "__main__":
    network, batches = nn.Linear(3, 3), []
    predict(network, batches)
    losses_of(network, batches)
    guarded(network, batches)
    home_made(network, batches)
    attack(network, batches, 0.1)
    saliency(network, batches)
