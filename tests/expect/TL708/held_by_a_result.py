"""The loss comes back in an object: of a number that was detached there is nothing to compute a gradient of."""

import torch.nn.functional as F


class Result:
    def __init__(self, loss, logits):
        self.loss = loss
        self._logits = logits

    @property
    def probabilities(self):
        return self._logits.softmax(dim=-1)


def run_detached(model, x, y):
    logits = model(x)
    return Result(F.cross_entropy(logits, y).detach(), logits)


def run(model, x, y):
    logits = model(x)
    return Result(F.cross_entropy(logits, y), logits.detach())


def fit_nothing(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        run_detached(model, x, y).loss.backward()  # expect: TL708
        optimizer.step()


def fit(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        run(model, x, y).loss.backward()
        optimizer.step()
