"""Gradients are off although no block around the pass says so."""

import contextlib
import functools

import torch


def without_gradients(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        with torch.no_grad():
            return function(*args, **kwargs)

    return inner


def smart_inference_mode(new=True):
    def decorate(function):
        return (torch.inference_mode if new else torch.no_grad)()(function)

    return decorate


@without_gradients
def decorated(model, loader):
    model.eval()
    for batch in loader:
        print(model(batch).mean())


@smart_inference_mode()
def smart(model, loader):
    model.eval()
    for batch in loader:
        print(model(batch).mean())


class Trainer:
    def __init__(self, model, loaders):
        self.model, self.loaders = model, loaders

    def _step(self, batch):
        return self.model(batch)

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            self._validate()

    def _validate(self):
        for batch in self.loaders["val"]:
            print(self._step(batch))

    def run(self, phase):
        is_train = phase == "train"
        self.model.train(is_train)
        with torch.set_grad_enabled(is_train):
            for batch in self.loaders[phase]:
                loss = self._step(batch).mean()
                if is_train:
                    loss.backward()


@contextlib.contextmanager
def inference(model):
    model.eval()
    with torch.no_grad():
        yield model


def managed(model, loader):
    with inference(model):
        for batch in loader:
            print(model(batch).mean())


class Frozen(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    @torch.no_grad()
    def forward(self, x):
        return self.inner(x)


def by_the_model(inner, loader):
    model = Frozen(inner)
    model.eval()
    for batch in loader:
        print(model(batch).mean())


def for_text(model, loader, tokenizer):
    model.eval()
    for batch in loader:
        print(tokenizer.decode(model.generate(batch)))


def mixed(model, loader):
    model.eval()
    with torch.no_grad(), torch.autocast("cuda"):
        for batch in loader:
            print(model(batch).mean())


if __name__ == "__main__":
    decorated(None, [])
    smart(None, [])
    by_the_model(None, [])
    for_text(None, [], None)
