"""The context is made somewhere else: a variable, an attribute, a partial, an ExitStack, a table of precisions."""

import contextlib
from contextlib import ExitStack, nullcontext
from functools import partial

import torch

PRECISIONS = {"full": torch.float32, "half": torch.float16, "brain": torch.bfloat16}
PRECISION = "half"


def chosen_by_device(model, optimizer, batches, on_gpu):
    context = torch.amp.autocast("cuda", dtype=PRECISIONS[PRECISION]) if on_gpu else nullcontext()  # expect: TL401
    for batch in batches:
        with context:
            _, loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.precision = torch.autocast(device_type="cuda", dtype=getattr(torch, "float16"))  # expect: TL401

    def loss_of(self, batch):
        with self.precision:
            return self.model(batch["x"], batch["y"])

    def fit(self, loader):
        for batch in loader:
            loss = self.loss_of(batch)
            self.update(loss)

    def update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def made_by_a_partial(model, optimizer, loader):
    precision = partial(torch.autocast, device_type="cuda", dtype=torch.float16)  # expect: TL401
    for batch in loader:
        with precision():
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def made_by_a_lambda(model, optimizer, loader, mixed):
    precision = (lambda: torch.autocast("cuda")) if mixed else contextlib.nullcontext  # expect: TL401
    for batch in loader:
        with precision():
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def on_a_stack(model, optimizer, loader, mixed):
    for batch in loader:
        with ExitStack() as stack:
            if mixed:
                pass
            stack.enter_context(torch.cuda.amp.autocast())  # expect: TL401
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


class CycleStyle:
    """Losses are kept on the object between its methods."""

    def __init__(self, generator, optimizer, criterion):
        self.generator = generator
        self.optimizer = optimizer
        self.criterion = criterion

    def forward(self, source):
        self.fake = self.generator(source)

    def backward_generator(self, target):
        self.loss = self.criterion(self.fake, target)
        self.loss.backward()

    def optimize(self, source, target):
        with torch.cuda.amp.autocast():  # expect: TL401
            self.forward(source)
        self.optimizer.zero_grad()
        self.backward_generator(target)
        self.optimizer.step()
