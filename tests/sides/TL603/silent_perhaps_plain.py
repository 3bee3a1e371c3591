"""The optimizer comes from a caller, and one of this file keeps nothing from step to step."""

import torch


def of_a_caller(args, model, loader, optimizer):
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)


def plain(model):
    return torch.optim.SGD(model.parameters(), lr=0.1)
