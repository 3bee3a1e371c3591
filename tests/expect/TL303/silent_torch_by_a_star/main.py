"""`torch` comes by a star import, out of sight (microsoft/Cream)."""

from common import *


def validate(model, loader):
    model.eval()
    with torch.no_grad():
        for batch in loader:
            model(batch)


def train(model, loader, optimizer):
    model.train()
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    validate(model, loader)
