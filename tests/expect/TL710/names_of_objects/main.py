"""A schedule of the top level that nobody takes: the objects of a class in another file keep one by the same name."""

import argparse

import torch
from data import loader
from models import Net
from wrapper import Wrapper

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--decay", action="store_true")
    args = parser.parse_args()
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters())
    if args.decay:
        schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[50, 100])  # expect: TL710
    else:
        schedule = None
    Wrapper(model=model, optimizer=optimizer, loader=loader).train()
