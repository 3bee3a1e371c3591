"""A step returns its loss and, beside it, a dict of what is to be logged: one of the values still holds the graph."""

from collections import defaultdict

import torch
from transformers import Trainer


class Preferring(Trainer):
    """The framework computes the gradients; the object keeps what its step says, under each name."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.stored = defaultdict(lambda: defaultdict(list))

    def compute_loss(self, model, inputs, return_outputs=False):
        loss, numbers = self.measured(model, inputs, "train")
        self.store(numbers, "train")  # expect: TL301
        return (loss, numbers) if return_outputs else loss

    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        with torch.no_grad():
            loss, numbers = self.measured(model, inputs, "eval")
        self.store(numbers, "eval")
        return loss, None, None

    def measured(self, model, inputs, phase):
        near, scores = self.parts(model, inputs)
        far = self.far(scores)
        loss = far.mean() + near
        numbers = {}
        numbers[f"{phase}/far"] = far.detach().mean()
        numbers[f"{phase}/near"] = near.cpu().mean()
        return loss, numbers

    def parts(self, model, inputs):
        scores = model(**inputs).logits
        return self.criterion(scores, inputs["labels"]), scores

    def store(self, numbers, phase):
        for name, value in numbers.items():
            self.stored[phase][name].append(value)


class Ended(Preferring):
    """The values become numbers before they are handed on."""

    def measured(self, model, inputs, phase):
        near, scores = self.parts(model, inputs)
        far = self.far(scores)
        loss = far.mean() + near
        numbers = {"far": far, "near": near}
        for name, value in numbers.items():
            numbers[name] = value.item()
        return loss, numbers


class Meter:
    def __init__(self):
        self.total, self.count = 0, 0

    def update(self, value, count=1):
        self.total += value * count
        self.count += count


class Fitter:
    """What is handed on goes through two objects."""

    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.meters = model, optimizer, {}

    def step(self, batch):
        shape, colour = self.model(batch)
        loss = shape + colour
        return loss, {"loss": loss.item(), "colour": colour}

    def clean_step(self, batch):
        shape, colour = self.model(batch)
        loss = shape + colour
        return loss, {"loss": loss.item(), "colour": colour.detach()}

    def fit(self, loader):
        for batch in loader:
            loss, numbers = self.step(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.note(numbers, len(batch))  # expect: TL302

    def fit_cleanly(self, loader):
        for batch in loader:
            loss, numbers = self.clean_step(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.note(numbers, len(batch))

    def note(self, numbers, count):
        for name, value in numbers.items():
            if name not in self.meters:
                self.meters[name] = Meter()
            self.meters[name].update(value, count)


def filled(model, optimizer, loader):
    history, nested, only_the_sum = [], [], []
    for batch in loader:
        log, parts = {}, {}
        first, second = model(batch)
        loss = first + second
        log["first"] = first
        log["second"] = second.item()
        parts["loss"] = {"all": loss, "first": first.item()}
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        history.append(log)  # expect: TL301
        nested.append(parts)  # expect: TL301
        only_the_sum.append(log["second"])
    return history, nested, only_the_sum


def taken_out(model, optimizer, loader):
    """Nothing with a graph is in the dict any more when it is kept."""
    history, replaced, cut, numbers = [], [], [], []
    for batch in loader:
        log, later, handed, rounded = {}, {}, {}, {}
        first, second = model(batch)
        loss = first + second
        log["first"] = later["first"] = handed["first"] = first
        log["size"] = len(batch)
        later["first"] = first.item()
        without_graphs(handed)
        rounded["first"] = round(float(first), 3)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        log.pop("first")
        history.append(log)
        replaced.append(later)
        cut.append(handed)
        numbers.append(rounded)
    return history, replaced, cut, numbers


def without_graphs(values):
    for name in list(values):
        values[name] = values[name].detach()


def replaced_by_the_caller(model, optimizer, loader):
    history, kept = [], []
    for batch in loader:
        log, other = logged(model, batch), logged(model, batch)
        log["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        log["loss"] = log["loss"].detach()
        other["loss"].backward()
        other["size"] = len(batch)
        history.append(log)
        kept.append(other)  # expect: TL301
    return history, kept


def logged(model, batch):
    first, second = model(batch)
    return {"loss": first + second, "second": second.item()}


def one_of_them(model, optimizer, loader):
    """Of the dict only what holds no graph is kept, or it is gone with its round."""
    sizes = Sizes()
    for batch in loader:
        first, second = model(batch)
        loss = first + second
        log = {"first": first, "size": len(batch)}
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        sizes.add(log)
        recent = []
        recent.append(log)
    return sizes


class Sizes:
    def __init__(self):
        self.all = []

    def add(self, log):
        self.all.append(log["size"])
