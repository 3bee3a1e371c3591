"""Options that a training script declares, and does nothing with."""

import argparse
import json
import logging
from argparse import ArgumentParser
from pathlib import Path

import torch
import wandb
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser(description="train")
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--warmup-steps", type=int, default=500)  # expect: TL935
parser.add_argument("--format", choices=["bin"], default="bin")
parser.add_argument("--order", choices=["random", "sorted"], default="random")  # expect: TL935
parser.add_argument("-b", "--batch", dest="batch_size", type=int, default=64)
parser.add_argument("--launched-by", help=argparse.SUPPRESS)
schedule = parser.add_argument_group("schedule")
schedule.add_argument("--label_smoothing", type=float, default=0.1)  # expect: TL935
schedule.add_argument("--lr", type=float, default=0.1)
precision = parser.add_mutually_exclusive_group()
precision.add_argument("--half", action="store_true")
precision.add_argument("--full", action="store_true", help="the default")


def train(model, dataset, criterion, options):
    loader = DataLoader(dataset, batch_size=options.batch_size)
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr)
    model = model.half() if options.half else model
    for _ in range(options.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


def main(model, dataset, criterion):
    args = parser.parse_args()
    logging.getLogger(__name__).info("arguments: %s", args)
    wandb.init(project="p", config=vars(args))
    train(model, dataset, criterion, args)


def add_options(parser):
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--clip", "--max-grad-norm", dest="max_norm", type=float, default=1.0)  # expect: TL935


class Trainer:
    def __init__(self, args, model):
        self.args = args
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=args.learning_rate, momentum=args.momentum)

    def fit(self, loader):
        for _ in range(self.args.steps):
            self.model(next(loader)).mean().backward()
            self.optimizer.step()
            self.optimizer.zero_grad()


def command_line(model, loader):
    parser = ArgumentParser()
    add_options(parser)
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)  # expect: TL935
    args = parser.parse_args()
    print("seed", torch.initial_seed())
    with Path("args.json").open("w") as file:
        json.dump(vars(args), file)
    Trainer(args, model).fit(loader)
