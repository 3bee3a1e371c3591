"""Options that something reads, by whatever way, or that are there for others."""

import argparse

import torch
import torch.multiprocessing as mp
from build import build_optimizer


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--weight-decay", type=float, default=0.0)
    parser.add_argument("--beta", type=float, default=0.9)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--local_rank", type=int, default=0)
    parser.add_argument("--version", action="version", version="1")
    parser.add_argument("--fp16", action="store_true", help="deprecated: use --precision")
    return parser.parse_args()


def main(model, loader):
    args = options()
    optimizer = build_optimizer(model, args)
    for _ in range(args.steps):
        model(next(loader)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def as_a_dict(model, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--rounds", type=int, default=10)
    args = parser.parse_args()
    settings = vars(args)
    rounds = settings.pop("rounds")
    optimizer = torch.optim.SGD(model.parameters(), **settings)
    for _ in range(rounds):
        model(next(loader)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    return args.lr, args.rounds


def handed_on(model, loader, build):
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--nesterov", action="store_true")
    parser.add_argument("--turns", type=int, default=10)
    args = parser.parse_args()
    optimizer = build(model, args)
    for _ in range(args.turns):
        model(next(loader)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    return args.rate


def by_name(model, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=float, default=0.1)
    parser.add_argument("--second", type=float, default=0.1)
    parser.add_argument("--third", type=float, default=0.1)
    args = parser.parse_args()
    rates = [getattr(args, name) for name in ("first", "second", "third")]
    optimizer = torch.optim.SGD(model.parameters(), lr=sum(rates) + args.first + args.second)
    for batch in loader:
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def worker(rank, args):
    torch.manual_seed(args.number + rank)


def spawns():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--wait", action="store_true")
    parser.add_argument("--number", type=int, default=0)
    args = parser.parse_args()
    mp.spawn(worker, (args,), nprocs=args.processes, join=args.wait)


def parse():
    global opt  # noqa: PLW0603
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=2)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--shuffle", action="store_true")
    opt = parser.parse_args()
    return opt.width * opt.depth


def loads(data):
    if opt.shuffle:
        data.shuffle()
    return torch.utils.data.DataLoader(data, opt.width)


def by_keys(model, loader, config):
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=2)
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--rotary", action="store_true")
    args = parser.parse_args()
    model.build(args.hidden, args.heads, config["dropout"], config.get("rotary", False))
    return torch.optim.SGD(model.parameters(), lr=0.1)
