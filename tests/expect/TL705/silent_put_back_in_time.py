"""Put back behind the evaluation, at the top of each round, by what is called there, or for each part; and copies for evaluation."""

import contextlib
import copy

import torch
from torch import nn


def recognition(model, criterion, dataset, valid_loader, optimizer, interval):
    model.train()
    for iteration in range(300_000):
        images, labels = dataset.get_batch()
        model.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()
        if iteration % interval == 0:
            model.eval()
            with torch.no_grad():
                print(sum(criterion(model(x), y).item() for x, y in valid_loader))
            model.train()


def best_of_all(model, graph, features, labels, masks, optimizer, epochs):
    """Full-batch training; the best copy is evaluated at the end."""
    best, best_model = 0.0, None
    for _ in range(epochs):
        model.train()
        logits = model(graph, features)
        loss = nn.functional.cross_entropy(logits[masks["train"]], labels[masks["train"]])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            right = (model(graph, features)[masks["valid"]].argmax(1) == labels[masks["valid"]]).float().mean().item()
        if right > best:
            best, best_model = right, copy.deepcopy(model)
    best_model.eval()
    return (best_model(graph, features)[masks["test"]].argmax(1) == labels[masks["test"]]).float().mean()


class Runner:
    """As hooks call it: each pass sets its own mode first."""

    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def train(self, loader):
        self.model.train()
        self.mode = "train"
        for batch in loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()

    @torch.no_grad()
    def val(self, loader):
        self.model.eval()
        self.mode = "val"
        for batch in loader:
            self.model(batch)

    def run(self, loaders, workflow, epochs):
        for _ in range(epochs):
            for (name, times), loader in zip(workflow, loaders):
                for _ in range(times):
                    getattr(self, name)(loader)


class Averaged:
    """What is evaluated are the averaged weights, in a model of their own."""

    def __init__(self, model, loader, optimizer):
        self.model, self.loader, self.optimizer = model, loader, optimizer
        self.ema_model = copy.deepcopy(model)
        self.ema_model.eval()

    def update(self, decay=0.999):
        with torch.no_grad():
            for slow, fast in zip(self.ema_model.parameters(), self.model.parameters()):
                slow.lerp_(fast, 1 - decay)

    def fit(self, most, save):
        self.model.train()
        for number, batch in enumerate(self.loader):
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
            self.update()
            if number % 1000 == 0:
                self.ema_model.eval()
                with torch.no_grad():
                    save(self.ema_model(batch))
            if number == most:
                break


@contextlib.contextmanager
def in_mode(model, training):
    before = model.training
    model.train(training)
    try:
        yield model
    finally:
        model.train(before)


def sampled(model, loader, optimizer, tokenizer, every):
    model.train()
    for number, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).loss.backward()
        optimizer.step()
        if number % every == 0:
            with torch.no_grad(), in_mode(model, False):
                print(tokenizer.decode(model(batch[:1]).logits.argmax(-1)))


def trained_by_a_helper(model, loader, valid_loader, optimizer, epochs):
    for epoch in range(epochs):
        one_epoch(model, loader, optimizer)
        if epoch % 5 == 4:
            model.eval()
            with torch.no_grad():
                print(sum(model(x).mean().item() for x in valid_loader))


def one_epoch(model, loader, optimizer):
    if not model.training:
        model.train()
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def one_phase_at_a_time(model, loader, optimizer, phase):
    for batch in loader:
        if phase == "val":
            model.eval()
            with torch.no_grad():
                print(model(batch))
        else:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()


def by_name(model, loader, optimizer, phase):
    for batch in loader:
        if phase == "val":
            model.eval()
            with torch.no_grad():
                print(model(batch))
        if phase == "train":
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
