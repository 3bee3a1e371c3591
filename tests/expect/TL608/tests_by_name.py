"""A test whose name has `last` in it lets in more than the last round."""

import torch


def elastic(model, loader, epochs, args):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        if args.elastic:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"state_{epoch}.pt")  # expect: TL608


def kept_as_last(model, loader, epochs, save_last):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        if save_last:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"last_{epoch}.pt")  # expect: TL608
