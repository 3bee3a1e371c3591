"""Hooks that are handed who runs them, in an order of their own, and call a method of it."""

import torch


class Step:
    priority = 50

    def after_batch(self, runner):
        runner.optimizer.zero_grad()
        runner.loss.backward()
        runner.optimizer.step()
        runner.clip(1.0)


class Runner:
    def __init__(self, model, hooks):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.hooks = sorted(hooks, key=lambda hook: hook.priority)

    def clip(self, norm):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), norm)  # expect: TL420

    def run(self, loader):
        for batch in loader:
            self.loss = self.model(batch).mean()
            for hook in self.hooks:
                hook.after_batch(self)


def main(model, loader):
    Runner(model, [Step()]).run(loader)
