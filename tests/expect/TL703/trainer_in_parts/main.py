"""The loop over epochs, in another file."""

import torch
from engine import train_one_epoch


def main(model, criterion, loader, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, args.drop)
    for epoch in range(args.start, args.epochs):
        lr_scheduler.step()  # expect: TL703
        train_one_epoch(model, criterion, loader, optimizer)
