"""Rank 0 alone evaluates, and counts how often that brought nothing; it alone stops then."""

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def fit(net, loader, criterion, optimizer, epochs, patience, evaluate):
    model = DDP(net)
    best, waited = float("inf"), 0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()  # expect: TL107
            optimizer.step()
        if dist.get_rank() == 0:
            score = evaluate(model.module, epoch)
            if score < best:
                best, waited = score, 0
            else:
                waited += 1
        if waited >= patience:
            break


def fit_by_score(net, loader, criterion, optimizer, epochs, patience, evaluate):
    model = DDP(net)
    best, waited = float("inf"), 0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()  # expect: TL107
            optimizer.step()
        score = evaluate(model.module, epoch) if dist.get_rank() == 0 else None
        if score is not None:
            waited = 0 if score < best else waited + 1
            best = min(score, best)
        if waited > patience:
            return best
    return best


def fit_without_an_epoch(net, batches, criterion, optimizer, evaluate):
    model = DDP(net)
    bad = 0
    while True:
        x, y = next(batches)
        optimizer.zero_grad()
        criterion(model(x), y).backward()  # expect: TL107
        optimizer.step()
        if dist.get_rank() == 0 and evaluate(model.module) > 1:
            bad = bad + 1
        if bad == 3:
            break
