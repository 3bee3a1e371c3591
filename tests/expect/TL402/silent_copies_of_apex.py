"""The optimizer's own parameters are clipped; or there are no copies."""

import torch
from apex import amp


def masters(model, criterion, loader, half):
    optimizer = torch.optim.SGD(model.parameters(), lr=3e-4)
    if half:
        model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        optimizer.zero_grad()
        if half:
            with amp.scale_loss(loss, optimizer) as scaled_loss:
                scaled_loss.backward()
            torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
        else:
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def without_copies(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=3e-4)
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    for inputs, targets in loader:
        optimizer.zero_grad()
        with amp.scale_loss(criterion(model(inputs), targets), optimizer) as scaled_loss:
            scaled_loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
