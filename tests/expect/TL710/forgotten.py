"""Schedules that were written down and never followed."""

import torch
from torch import nn, optim
from torch.optim.lr_scheduler import MultiStepLR, ReduceLROnPlateau
from transformers import get_cosine_schedule_with_warmup, get_scheduler


def at_the_top(model, train_loader, val_loader, criterion, epochs):
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = ReduceLROnPlateau(optimizer, "min", patience=3)  # expect: TL710
    best = float("inf")
    for epoch in range(epochs):
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            best = min(best, sum(criterion(model(x), y).item() for x, y in val_loader))
        print(epoch, best, scheduler.num_bad_epochs)


def two_of_which_one_steps(generator, critic, loader, judge):
    for_generator = optim.Adam(generator.parameters())
    for_critic = optim.Adam(critic.parameters())
    slow = optim.lr_scheduler.ExponentialLR(for_generator, 0.99)
    slower = optim.lr_scheduler.ExponentialLR(for_critic, 0.999)  # expect: TL710
    for batch in loader:
        for_critic.zero_grad()
        judge(critic(generator(batch))).backward()
        for_critic.step()
        for_generator.zero_grad()
        judge(critic(generator(batch))).backward()
        for_generator.step()
        slow.step()
    return slower.state_dict()


class Engine:
    def __init__(self, net: nn.Module, milestones):
        self.net = net
        self.optimizer = optim.SGD(net.parameters(), lr=0.1)
        self.schedule = MultiStepLR(self.optimizer, milestones)  # expect: TL710

    def step(self, batch):
        self.optimizer.zero_grad()
        self.net(batch).mean().backward()
        self.optimizer.step()

    def load(self, state):
        self.schedule.load_state_dict(state["schedule"])


def fine_tune(model, loader, total):
    optimizer = optim.AdamW(model.parameters(), lr=2e-5)
    get_scheduler("linear", optimizer, num_warmup_steps=0, num_training_steps=total)  # expect: TL710
    for batch in loader:
        model(**batch).loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def passed_and_ignored(model, loader, total):
    optimizer = optim.AdamW(model.parameters(), lr=2e-5)
    schedule = get_cosine_schedule_with_warmup(optimizer, 10, total)  # expect: TL710
    one_epoch(model, loader, optimizer, schedule)


def one_epoch(model, loader, optimizer, schedule):
    for batch in loader:
        model(**batch).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(schedule.get_last_lr())
