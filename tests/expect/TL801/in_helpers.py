"""Numbers that helpers fetch: after a check, of a type, of each of what they are given."""

import torch
from torch import nn


def checked(value):
    if value.numel() != 1:
        raise ValueError("one number")
    return float(value.detach().item())  # expect: TL801


def after_a_check(model, loader, optimizer, tracker):
    model = model.cuda()
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        tracker.log(checked(loss), step)


def of_a_type(model, loader, optimizer, tracker):
    model = model.cuda()
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if isinstance(loss, torch.Tensor):
            tracker.log(float(loss.detach().item()), step)  # expect: TL801


def plain(metrics):
    return {k: (v.item() if isinstance(v, torch.Tensor) else v) for k, v in metrics.items()}  # expect: TL801


def of_each(model, loader, optimizer, tracker):
    model = model.cuda()
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        tracker.log(plain({"loss": loss, "lr": 0.1}), step)


def log(**values):
    for name, value in values.items():
        print(name, value.item())  # expect: TL801


def by_keyword(model, loader, optimizer):
    model = model.cuda()
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log(loss=loss)


def show(**values):
    print({name: value.item() for name, value in values.items()})


def seldom(model, loader, optimizer):
    model = model.cuda()
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            show(loss=loss)


def kept(**values):
    return {name: value.detach() for name, value in values.items()}


def on_the_device(model, loader, optimizer):
    model = model.cuda()
    found = []
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(kept(loss=loss))
    return found


def once_in_an_epoch(model, loader, optimizer, epochs):
    model = model.cuda()
    for _ in range(epochs):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        show(loss=loss)
