"""Epochs that are trained again after a restart."""
# Modelled on pytorch/examples, kuangliu/pytorch-cifar, songdejia/EAST, NVIDIA/DeepLearningExamples, karpathy/nanoGPT.

import argparse
import os

import torch
from torch import nn, optim
from tqdm import tqdm, trange


class Snapshots:
    """A trainer that keeps what it has done in an attribute."""

    def __init__(self, model, data, optimizer, every, path):
        self.model = model
        self.data = data
        self.optimizer = optimizer
        self.every = every
        self.path = path
        self.epochs_run = 0
        if os.path.exists(path):
            self._load()

    def _load(self):
        snapshot = torch.load(self.path, map_location="cuda")
        self.model.load_state_dict(snapshot["MODEL"])
        self.optimizer.load_state_dict(snapshot["OPT"])
        self.epochs_run = snapshot["RUN"]

    def _batch(self, x, y):
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.model(x), y).backward()
        self.optimizer.step()

    def _epoch(self, epoch):
        for x, y in self.data:
            self._batch(x, y)

    def _save(self, epoch):
        snapshot = {"MODEL": self.model.state_dict(), "OPT": self.optimizer.state_dict(), "RUN": epoch}
        torch.save(snapshot, f"{self.path}.{epoch}")

    def train(self, most):
        for epoch in range(self.epochs_run, most):  # expect: TL612
            self._epoch(epoch)
            if epoch % self.every == 0:
                self._save(epoch)


def with_the_best(net, trainloader, testloader, resume):
    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    best_acc, start_epoch = 0, 0
    if resume:
        checkpoint = torch.load("./checkpoint/ckpt.pth", map_location="cpu")
        net.load_state_dict(checkpoint["net"])
        optimizer.load_state_dict(checkpoint["opt"])
        best_acc = checkpoint["acc"]
        start_epoch = checkpoint["epoch"]

    def train(epoch):
        net.train()
        for inputs, targets in trainloader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(inputs), targets).backward()
            optimizer.step()

    def test(epoch, best):
        net.eval()
        with torch.no_grad():
            acc = sum((net(x).argmax(1) == y).sum().item() for x, y in testloader)
        if acc > best:
            state = {"net": net.state_dict(), "opt": optimizer.state_dict(), "acc": acc, "epoch": epoch}
            torch.save(state, f"./checkpoint/ckpt-{epoch}.pth")
            best = acc
        return best

    for epoch in range(start_epoch, start_epoch + 200):  # expect: TL612
        train(epoch)
        best_acc = test(epoch, best_acc)


def save_state(model, optimizer, epoch, path):
    checkpoint = {"state_dict": model.state_dict(), "optimizer_state_dict": optimizer.state_dict(), "epoch": epoch}
    torch.save(checkpoint, str(path))


def load_state(model, optimizer, path):
    checkpoint = torch.load(str(path), map_location={"cuda:0": "cuda:1"})
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
    return checkpoint["epoch"]


def with_helpers(model, loader, args):
    optimizer = optim.Adam(model.parameters())
    epoch_start = load_state(model, optimizer, args.load) if args.load else 0
    for epoch_idx in range(epoch_start, args.epochs):  # expect: TL612
        for batch in tqdm(loader):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        if args.save and not args.benchmark and (epoch_idx + 1) % args.interval == 0:
            save_state(model, optimizer, epoch_idx, f"{args.save}/{epoch_idx}.pth")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start-epoch", type=int, default=0)
    args = parser.parse_args()
    model = nn.Linear(2, 2)
    optimizer = optim.Adam(model.parameters())
    if os.path.isfile("run.tar"):
        saved = torch.load("run.tar", map_location="cpu")
        args.start_epoch = saved.get("epoch")
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
    for epoch in trange(args.start_epoch, 100):  # expect: TL612
        for batch in torch.randn(10, 4, 2):
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
        torch.save(dict(epoch=epoch, model=model.state_dict(), optimizer=optimizer.state_dict()), f"run-{epoch}.tar")


def as_a_tuple(model, loader, path, epochs):
    optimizer = optim.Adam(model.parameters())
    first, best = restored(model, optimizer, path)
    for number in range(int(first), epochs):  # expect: TL612
        best = min(best, one(model, optimizer, loader))
        keep({"w": model.state_dict(), "o": optimizer.state_dict(), "n": number, "best": best}, path, number)


def restored(model, optimizer, path):
    if not os.path.exists(path):
        return 0, float("inf")
    kept = torch.load(path, map_location="cpu")
    model.load_state_dict(kept["w"])
    optimizer.load_state_dict(kept["o"])
    return kept["n"], kept["best"]


def one(model, optimizer, loader):
    total = 0.0
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def keep(state, path, number):
    torch.save(state, f"{path}.{number}")


def stepwise_state(model, loader, path, epochs):
    optimizer = optim.Adam(model.parameters())
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["weights"])
    optimizer.load_state_dict(state["adam"])
    for done in range(state["done"], epochs):  # expect: TL612
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        fresh = {}
        fresh["weights"] = model.state_dict()
        fresh["adam"] = optimizer.state_dict()
        fresh.update(done=done)
        torch.save(fresh, f"{path}-{done}")
