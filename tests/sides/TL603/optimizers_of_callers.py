"""The optimizer is made out of sight, or stepped in a helper."""

import torch


def of_a_caller(args, model, loader, optimizer):
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)  # expect: TL603


def update(optimizer):
    optimizer.step()


def in_a_helper(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            update(optimizer)
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)  # expect: TL603
