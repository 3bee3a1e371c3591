"""The mode is put back by a flag, a decorator, a context manager, a list of models, or the phase of the loop."""

import contextlib
import functools

import torch


def evaluating(method):
    @functools.wraps(method)
    def inner(model, *args, **kwargs):
        was_training = model.training
        model.eval()
        result = method(model, *args, **kwargs)
        model.train(was_training)
        return result

    return inner


@evaluating
@torch.no_grad()
def sample(model, start):
    for _ in range(100):
        start = model(start)
    return start


class switched:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.before = self.model.training
        self.model.eval()

    def __exit__(self, *error):
        self.model.train(self.before)


def decorated(model, batches, optimizer):
    model.train()
    for batch in batches:
        model(batch).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        sample(model, batch[:1])


def managed(model, batches, held_out, optimizer):
    model.train()
    for epoch in range(3):
        for batch in batches:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        with switched(model), torch.no_grad():
            for batch in held_out:
                model(batch)


def phases(model, loaders, optimizer, criterion):
    for epoch in range(10):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            for x, y in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    loss = criterion(model(x), y)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()


def flagged(model, loader, optimizer=None):
    model.train(optimizer is not None)
    for batch in loader:
        loss = model(batch).mean()
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_flag(model, loader, held_out, optimizer):
    for epoch in range(10):
        flagged(model, loader, optimizer)
        flagged(model, held_out)


class Several:
    def __init__(self, models, optimizer):
        self.models = models
        self.optimizer = optimizer

    def switch(self, mode):
        for model in self.models.values():
            if mode == "train":
                model.train()
            else:
                model.eval()

    def fit(self, loader, held_out):
        for epoch in range(10):
            self.switch("train")
            for batch in loader:
                self.models["main"](batch).sum().backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.switch("eval")
            with torch.no_grad():
                for batch in held_out:
                    self.models["main"](batch)


@contextlib.contextmanager
def adjusted(model, training):
    before = {}

    def change():
        for module in model.modules():
            before[module] = module.training
            module.training = training

    def put_back():
        for module in model.modules():
            module.training = before.pop(module)

    change()
    yield model
    put_back()


def by_the_flags_of_modules(model, batches, held_out, optimizer):
    model.train()
    for epoch in range(3):
        for batch in batches:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        with adjusted(model, False), torch.no_grad():
            model.eval()
            for batch in held_out:
                model(batch)
