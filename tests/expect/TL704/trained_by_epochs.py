"""Epochs as functions: the one that trains sets the mode, the one that evaluates does not."""

import torch


def train_epoch(model, batches, optimizer, criterion, scaler):
    model.train()
    for source, target in batches:
        with torch.autocast("cuda"):
            loss = criterion(model(source, target[:-1]), target[1:])
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


@torch.no_grad()
def eval_epoch(model, batches, criterion):
    total = 0.0
    for source, target in batches:
        out = model(source, target[:-1])  # expect: TL704
        total += criterion(out, target[1:]).item()
    return total


def eval_epoch_right(model, batches, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for source, target in batches:
            out = model(source, target[:-1])
            total += criterion(out, target[1:]).item()
    return total


def fit(model, train_batches, dev_batches, optimizer, criterion, scaler):
    for epoch in range(40):
        train_epoch(model, train_batches, optimizer, criterion, scaler)
        print(eval_epoch(model, dev_batches, criterion))


def fit_right(model, train_batches, dev_batches, optimizer, criterion, scaler):
    for epoch in range(40):
        train_epoch(model, train_batches, optimizer, criterion, scaler)
        print(eval_epoch_right(model, dev_batches, criterion))
