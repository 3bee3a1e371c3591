"""An attack in the evaluation computes gradients of the inputs: no optimizer of the model applies them."""

import torch


def validate(model, criterion, loader, eps):
    model.eval()
    for images, labels in loader:
        images.requires_grad_(True)
        loss = criterion(model(images), labels)
        loss.backward()
        attacked = images + eps * images.grad.sign()
        with torch.no_grad():
            print(model(attacked).argmax(1))


def train(model, criterion, loader, optimizer):
    model.train()
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()


def main(model, criterion, loader, held_out, optimizer, epochs):
    for _ in range(epochs):
        train(model, criterion, loader, optimizer)
        validate(model, criterion, held_out, 0.1)
