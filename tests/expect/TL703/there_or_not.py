"""A scheduler that is made in one case only, and asked for before it steps."""

import torch


def fit(model, loader, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=config.rate)
    if config.milestones is not None and config.factor is not None:
        scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, config.milestones, gamma=config.factor)
    else:
        scheduler = None
    for _ in range(config.epochs):
        if scheduler is not None:
            scheduler.step()  # expect: TL703
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()


def behind(model, loader, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=config.rate)
    if config.milestones is not None:
        scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, config.milestones)
    else:
        scheduler = None
    for _ in range(config.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        if scheduler is not None:
            scheduler.step()
