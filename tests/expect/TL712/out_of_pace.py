"""Schedulers that count one thing and are stepped with another."""

import argparse

import torch
import torch.optim.lr_scheduler as lrs
from transformers import get_cosine_schedule_with_warmup, get_scheduler


class Trainer:
    def __init__(self, model, train_loader, args):
        self.model, self.train_loader, self.args = model, train_loader, args
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = lrs.OneCycleLR(
            self.optimizer, max_lr=0.1, steps_per_epoch=len(self.train_loader), epochs=self.args.epochs
        )

    def train_epoch(self):
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            torch.nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

    def train(self):
        for epoch in range(self.args.epochs):
            self.train_epoch()
            self.scheduler.step()  # expect: TL712
            print(epoch)


def main(model, train_dataloader, accelerator):
    args = argparse.ArgumentParser().parse_args()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    steps = args.num_epochs * len(train_dataloader) // args.accumulation
    lr_scheduler = get_scheduler("cosine", optimizer=optimizer, num_warmup_steps=100, num_training_steps=steps)
    for epoch in range(args.num_epochs):
        for step, batch in enumerate(train_dataloader):
            loss = model(**batch).loss / args.accumulation
            loss.backward()
            if (step + 1) % args.accumulation == 0:
                optimizer.step()
                optimizer.zero_grad()
        lr_scheduler.step()  # expect: TL712


def by_hand(model, loader):
    epochs = 20
    optimizer = torch.optim.Adam(model.parameters())
    annealing = lrs.CosineAnnealingLR(optimizer, epochs, eta_min=1e-6)
    for epoch in range(1, epochs + 1):
        print(epoch)
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            annealing.step()  # expect: TL712


def pass_over(model, loader, optimizer, schedule):
    for batch in loader:
        optimizer.zero_grad()
        model(**batch).loss.backward()
        optimizer.step()
        schedule.step()  # expect: TL712


def in_a_helper(model, loader, args):
    optimizer = torch.optim.AdamW(model.parameters())
    schedule = get_cosine_schedule_with_warmup(optimizer, 1, args.epochs)
    for _ in range(args.epochs):
        pass_over(model, loader, optimizer, schedule)
