"""A file is written in one round, as the code says; what the test is called does not matter."""

import torch


def at_the_end(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        done = epoch == epochs - 1
        if done:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"state_{epoch}.pt")


def keep(model, optimizer, epoch, now):
    if now:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"kept_{epoch}.pt")


def passed_on(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        keep(model, optimizer, epoch, epoch + 1 == epochs)
