from dataclasses import dataclass, field
from typing import Any, Callable

import torch
from torch import nn


class Callback:
    def on_step_end(self, trainer, outputs): ...
    def on_epoch_end(self, trainer): ...


class History(Callback):
    def __init__(self):
        self.values = []

    def on_step_end(self, trainer, outputs):
        self.values.append(outputs["loss"].detach())

    def on_epoch_end(self, trainer):
        print("mean", sum(float(v) for v in self.values) / len(self.values))


class Trainer:
    def __init__(self, model, optimizer, callbacks=()):
        self.model, self.optimizer = model, optimizer
        self.callbacks = list(callbacks)

    def emit(self, hook, **kwargs):
        for callback in self.callbacks:
            getattr(callback, hook)(self, **kwargs)

    def step(self, batch):
        x, y = batch
        logits = self.model(x)
        loss = nn.functional.cross_entropy(logits, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return {"loss": loss, "n": len(x)}

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for batch in loader:
                outputs = self.step(batch)
                self.emit("on_step_end", outputs=outputs)
            self.emit("on_epoch_end")


def main(loader):
    model = nn.Linear(8, 2)
    trainer = Trainer(model, torch.optim.SGD(model.parameters(), lr=0.1), [History()])
    trainer.fit(loader, 3)
