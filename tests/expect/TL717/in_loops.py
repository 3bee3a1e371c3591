"""Counters that end a loop before its scheduler has waited long enough."""

import argparse

import torch
from torch import optim
from torch.optim import lr_scheduler

PATIENCE = 8


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=6)  # expect: TL717
        self.patience = 5
        self.bad_epochs = 0
        self.best_loss = float("inf")

    def fit(self, epochs):
        for epoch in range(epochs):
            self.train_epoch(epoch)
            val_loss = self.validate()
            self.scheduler.step(val_loss)
            if val_loss < self.best_loss:
                self.best_loss = val_loss
                self.bad_epochs = 0
                torch.save(self.model.state_dict(), "best.pt")
            else:
                self.bad_epochs += 1
            if self.bad_epochs >= self.patience:
                print("early stopping")
                return


class Stopper:
    def __init__(self, patience: int, delta: float = 0.0):
        self.patience = patience
        self.delta = delta
        self.best = float("inf")
        self.wait = 0

    def step(self, loss):
        if loss < self.best - self.delta:
            self.best = loss
            self.wait = 0
        else:
            self.wait += 1
        return self.wait >= self.patience


def returns_whether(model, train_epoch, validate, epochs):
    optimizer = optim.Adam(model.parameters())
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=10)  # expect: TL717
    stopper = Stopper(10)
    for epoch in range(epochs):
        train_epoch(model, optimizer)
        metrics = validate(model)
        scheduler.step(metrics["loss"])
        if stopper.step(metrics["loss"]):
            break


def of_a_module(model, train_epoch, validate, epochs):
    optimizer = optim.Adam(model.parameters())
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=9)  # expect: TL717
    best_acc, no_improve = 0.0, 0
    for epoch in range(1, epochs + 1):
        train_epoch(model, optimizer)
        acc = validate(model)
        is_best = acc > best_acc
        if is_best:
            best_acc = acc
            no_improve = 0
        else:
            no_improve += 1
        if no_improve > PATIENCE:
            break
        scheduler.step(acc)


def counted_first(model, train_epoch, validate, epochs):
    optimizer = optim.Adam(model.parameters())
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, "min", 0.5, 20)  # expect: TL717
    best, waited = None, 0
    for epoch in range(epochs):
        train_epoch(model, optimizer)
        loss = validate(model)
        scheduler.step(loss)
        waited += 1
        if best is None or loss < best:
            best = loss
            waited = 0
        if 15 <= waited:
            break


def in_the_condition(model, train_epoch, validate):
    optimizer = optim.Adam(model.parameters())
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer)  # expect: TL717
    best, bad, epoch = float("inf"), 0, 0
    while epoch < 200 and bad < 10:
        train_epoch(model, optimizer)
        loss = validate(model)
        scheduler.step(loss)
        bad = 0 if loss < best else bad + 1
        best = min(best, loss)
        epoch += 1


def by_one_option(model, train_epoch, validate):
    parser = argparse.ArgumentParser()
    parser.add_argument("--patience", type=int, default=5)
    args = parser.parse_args()
    optimizer = optim.Adam(model.parameters())
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, patience=args.patience)  # expect: TL717
    best, bad = float("inf"), 0
    for epoch in range(100):
        train_epoch(model, optimizer)
        loss = validate(model)
        scheduler.step(loss)
        if loss < best:
            best = loss
            bad = 0
        else:
            bad += 1
        if bad >= args.patience:
            break


def build(model):
    optimizer = optim.Adam(model.parameters())
    return optimizer, lr_scheduler.ReduceLROnPlateau(optimizer, patience=6)  # expect: TL717


def with_a_flag(model, train_epoch, validate, epochs):
    optimizer, scheduler = build(model)
    best, bad, stop = float("inf"), 0, False
    for epoch in range(epochs):
        train_epoch(model, optimizer)
        loss = validate(model)
        if scheduler is not None:
            scheduler.step(loss)
        if loss < best:
            best, bad = loss, 0
        else:
            bad += 1
            if bad == 4:
                stop = True
        if stop:
            break


def too_few_epochs(model, train_epoch, validate):
    num_epochs = 5
    optimizer = optim.Adam(model.parameters())
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, patience=4)  # expect: TL717
    for epoch in range(1, num_epochs + 1):
        train_epoch(model, optimizer)
        scheduler.step(validate(model))
