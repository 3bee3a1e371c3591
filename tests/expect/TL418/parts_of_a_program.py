"""Tests that choose a training, and not how it is looked at."""

import argparse

import torch


class Fair:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def fit(self, loader, warmup, debug):
        if warmup:
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.model(batch).mean()
                with torch.autograd.set_detect_anomaly(True):  # expect-likely: TL418
                    loss.backward()
                self.optimizer.step()
        for batch in loader:
            self.optimizer.zero_grad()
            loss = self.model(batch).mean()
            loss.backward()
            self.optimizer.step()

    def either(self, loader, closely):
        for batch in loader:
            self.optimizer.zero_grad()
            loss = self.model(batch).mean()
            if closely:
                with torch.autograd.detect_anomaly():
                    loss.backward()
                self.optimizer.step()
            else:
                loss.backward()
                self.optimizer.step()


def train(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def main(model, optimizer, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", action="store_true")
    args = parser.parse_args()
    if args.train:
        torch.autograd.set_detect_anomaly(True)  # expect-likely: TL418
        train(model, optimizer, loader)
    else:
        print(model(next(iter(loader))))


def by_whole(model, optimizer, graph):
    model(graph).mean().backward()
    with torch.autograd.set_detect_anomaly(True):  # expect-likely: TL418
        model(graph).mean().backward()
    optimizer.step()


def by_batch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autograd.set_detect_anomaly(True):  # expect-likely: TL418
            model(batch).mean().backward()
        optimizer.step()


def fit(model, optimizer, loader, name):
    if name == "small":
        by_whole(model, optimizer, next(iter(loader)))
    else:
        by_batch(model, optimizer, loader)
