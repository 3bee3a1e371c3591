"""Losses that a method sets under a key it is handed, or that it makes itself."""

import torch.nn.functional as F


class History:
    def __init__(self):
        self.values = {}
        self.count = 0

    def log(self, key, value):
        self.values[key] = value

    def log_next(self, value):
        self.count += 1
        self.values[self.count] = value

    def log_part(self, prefix, name, value):
        self.values[prefix + name] = value

    def log_total(self, value):
        self.values["total"] = value


def step(model, optimizer, x, y):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def number_handed(model, loader, optimizer):
    history = History()
    for i, (x, y) in enumerate(loader):
        history.log(i, step(model, optimizer, x, y))  # expect: TL301
    return history


def name_handed(model, loader, optimizer):
    history = History()
    for x, y in loader:
        history.log("loss", step(model, optimizer, x, y))
    return history


def number_by_keyword(model, loader, optimizer):
    history = History()
    for i, (x, y) in enumerate(loader):
        history.log(value=step(model, optimizer, x, y), key=i)  # expect: TL301
    return history


def name_by_keyword(model, loader, optimizer):
    history = History()
    for x, y in loader:
        history.log(value=step(model, optimizer, x, y), key="loss")
    return history


def one_part_differs(model, loader, optimizer):
    history = History()
    for i, (x, y) in enumerate(loader):
        history.log_part("step ", str(i), step(model, optimizer, x, y))  # expect: TL301
    return history


def no_part_differs(model, loader, optimizer, name):
    history = History()
    for x, y in loader:
        history.log_part("train ", name, step(model, optimizer, x, y))
    return history


def one_key_of_the_method(model, loader, optimizer):
    history = History()
    for x, y in loader:
        history.log_total(step(model, optimizer, x, y))
    return history


def counted_in_the_loop(model, loader, optimizer):
    history, done = History(), 0
    for x, y in loader:
        history.log(done, step(model, optimizer, x, y))  # expect: TL301
        done += 1
    return history


def new_history_for_each_batch(model, loader, optimizer, writer):
    for i, (x, y) in enumerate(loader):
        history = History()
        history.log(i, step(model, optimizer, x, y))
        writer.add(history)


class Trainer:
    """Called by others for each batch."""

    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.by_sample, self.by_name, self.by_place = {}, {}, {}

    def train_step(self, numbers, x, y):
        losses = F.cross_entropy(self.model(x), y, reduction="none")
        self.optimizer.zero_grad()
        losses.mean().backward()
        self.optimizer.step()
        for number, loss in zip(numbers, losses):
            self.by_sample[number] = loss  # expect: TL301
        for place, loss in enumerate(losses):
            self.by_place[place] = loss

    def train_task(self, name, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.by_name[name] = loss


def main(model, optimizer, loader):
    trainer = Trainer(model, optimizer)
    for numbers, x, y in loader:
        trainer.train_step(numbers, x, y)
        trainer.train_task("only one", x, y)
