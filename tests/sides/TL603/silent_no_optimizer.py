"""The parameters are moved by hand: no optimizer is there whose state could be lost."""

import torch


def first(args, model, loader):
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            model(batch).mean().backward()
            with torch.no_grad():
                for each in model.parameters():
                    each -= 0.1 * each.grad
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)
