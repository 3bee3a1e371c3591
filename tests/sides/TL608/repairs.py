"""Where `glob` and `os` are imported under other names, or the name of the file is no simple one."""

import os as system
from glob import glob

import torch


def with_a_name(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        path = f"runs/model-{epoch}.pt"
        torch.save(model.state_dict(), path)  # expect: TL608


def without_a_name(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save(model.state_dict(), f"runs/other-{epoch}.pt")  # expect: TL608


def partly_unknown(model, optimizer, loader, epochs, namer):
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        path = f"runs/{namer.prefix()}-{epoch}.pt"
        torch.save(model.state_dict(), path)  # expect: TL608


def with_a_quote(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        path = f'runs/"model"-{epoch}.pt'
        torch.save(model.state_dict(), path)  # expect: TL608


def size_of_all():
    return sum(system.path.getsize(name) for name in glob("runs/*.pt"))
