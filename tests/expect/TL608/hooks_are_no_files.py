"""What is removed is a hook, or something of a list: no file."""
# Modelled on qfgaohao/pytorch-ssd, meta-pytorch/opacus.

import torch


def train(args, model, optimizer, loader, handles):
    for epoch in range(args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save(model.state_dict(), f"model_{epoch}.pth")  # expect: TL608
        for handle in handles:
            handle.remove()
