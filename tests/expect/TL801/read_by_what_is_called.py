"""What the loop runs may read the value: a meter, a helper in both arms of a switch."""

import torch


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value):
        self.total += value.item()  # expect: TL801
        self.count += 1


def train(model, criterion, optimizer, loader):
    model.cuda()
    meter = Meter()
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images.cuda(non_blocking=True)), labels.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        meter.update(loss)
    return meter.total / meter.count


def noted(history, value):
    if torch.distributed.get_rank() == 0 and len(history) % 50 == 0:
        print(float(value))
    history.append(value.detach())


def train_quietly(model, criterion, optimizer, loader):
    model.cuda()
    history = []
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images.cuda(non_blocking=True)), labels.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        noted(history, loss)
    return history


def averaged(history):
    for value in history:
        print(value.item())


def train_and_look_back(model, criterion, optimizer, loader):
    model.cuda()
    history = []
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images.cuda(non_blocking=True)), labels.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        history.append(loss.detach())
    averaged(history)


def train_aloud(model, criterion, optimizer, loader, verbose):
    model.cuda()
    total = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images.cuda(non_blocking=True)), labels.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()
        if verbose:
            print("loss")
            total += loss.item()  # expect: TL801
        else:
            total += float(loss)
    return total
