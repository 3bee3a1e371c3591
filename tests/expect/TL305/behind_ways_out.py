"""A way out at the head of a loop leads past no round but the last; a round that is passed over makes no step, either."""

import torch
from elsewhere import enough, is_broken


def left_when_enough(model, loader, optimizer):
    model.cuda()
    for batch in loader:
        if enough():
            break
        optimizer.zero_grad()
        model(batch.cuda()).sum().backward()
        optimizer.step()
        torch.cuda.empty_cache()  # expect: TL305


def some_passed_over(model, loader, optimizer):
    model.cuda()
    for batch in loader:
        if is_broken(batch):
            continue
        optimizer.zero_grad()
        model(batch.cuda()).sum().backward()
        optimizer.step()
        torch.cuda.empty_cache()  # expect: TL305


def in_few_rounds(model, loader, optimizer):
    model.cuda()
    for number, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch.cuda()).sum().backward()
        optimizer.step()
        if number % 100:
            continue
        torch.cuda.empty_cache()
