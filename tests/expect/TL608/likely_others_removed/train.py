"""Checkpoints that pile up, in a program that removes other files elsewhere; and files numbered by something else."""
# Modelled on divelab/DIG, qfgaohao/pytorch-ssd.

import os

import torch
from cache import cached


def train(args, model, optimizer, loader):
    for epoch in range(args.epochs):
        for batch in cached(loader):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save(model.state_dict(), os.path.join(args.folder, f"model_{epoch}.pth"))  # expect-likely: TL608


def parts(args, encoders, optimizer, loader):
    for _ in range(args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            sum(encoder(batch).mean() for encoder in encoders).backward()
            optimizer.step()
        for index, encoder in enumerate(encoders):
            torch.save(encoder.state_dict(), f"encoder_{index}.pth")
