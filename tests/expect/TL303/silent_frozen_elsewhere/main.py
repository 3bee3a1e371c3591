"""A function of another file freezes the model, whatever it is called."""

import torch
from preparing import Features, prepared


def asked(model, loader, criterion):
    prepared(model)
    model.eval()
    total = 0.0
    for images, labels in loader:
        total += criterion(model(images), labels).item()
    model.train()
    return total / len(loader)


def features(images):
    model = Features([8]).eval().cuda()
    for image in images:
        print(model(image)[0].cpu().numpy())


def handed(images, model):
    model.eval()
    for image in images:
        print(model(image)[0].cpu().numpy())


def main(model, loader, criterion):
    print(asked(model, loader, criterion), torch.__version__)
    features(loader)
    handed(loader, Features([8]))
