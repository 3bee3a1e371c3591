"""Gradients are off although no block around the pass says so."""

import contextlib
import functools

import torch
from torch.autograd import Variable


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


def volatile(model, loader):
    """PyTorch before 0.4 recorded nothing of what is computed from these."""
    model.eval()
    for batch, labels in loader:
        batch, labels = Variable(batch, volatile=True), Variable(labels)
        print(model(batch).argmax(1) == labels)


class Measuring:
    """One of two kinds measures; which of them it is, an option says."""

    def __init__(self, trainer, loader):
        self.trainer, self.loader = trainer, loader

    def measure_all(self):
        with torch.no_grad():
            self.measure_one()
            self.measure_pairs()


class MeasuringOne(Measuring):
    def __init__(self, trainer, loader):
        super().__init__(trainer, loader)
        self.model = trainer.model

    def measure_one(self):
        self.model.eval()
        for batch in self.loader:
            print(self.model(batch).mean())


class MeasuringPairs(Measuring):
    def __init__(self, trainer, loader):
        super().__init__(trainer, loader)
        self.encoder, self.decoder = trainer.encoder, trainer.decoder

    def measure_pairs(self):
        self.encoder.eval()
        self.decoder.eval()
        for batch in self.loader:
            print(self.decoder(self.encoder(batch)).mean())


def measured(trainer, loader, pairs):
    measuring = MeasuringPairs(trainer, loader) if pairs else MeasuringOne(trainer, loader)
    measuring.measure_all()


if __name__ == "__main__":
    decorated(None, [])
    smart(None, [])
    by_the_model(None, [])
    for_text(None, [], None)
    volatile(None, [])
    measured(None, [], torch.cuda.is_available())
