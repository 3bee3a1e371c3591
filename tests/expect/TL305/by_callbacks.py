"""A callback that frees memory, in the loop over callbacks of each step, and one of each epoch."""

import torch


class Frees:
    def after_batch(self):
        torch.cuda.empty_cache()  # expect: TL305

    def after_epoch(self):
        torch.cuda.empty_cache()


def fit(model, optimizer, loader, *callbacks):
    for _ in range(10):
        for images in loader:
            optimizer.zero_grad()
            model(images).sum().backward()
            optimizer.step()
            for callback in callbacks:
                callback.after_batch()
        for callback in callbacks:
            callback.after_epoch()


def main(model, optimizer, loader):
    fit(model, optimizer, loader, Frees())


class Cleans:
    def __init__(self, seldom):
        self.seldom = seldom

    def on_batch_end(self, step):
        torch.cuda.empty_cache()  # expect: TL305

    def on_epoch_end(self, step):
        torch.cuda.empty_cache()


class Runner:
    """Its callbacks are told by the name of a hook."""

    def __init__(self, model, optimizer, hooks):
        self.model, self.optimizer, self.hooks = model, optimizer, hooks

    def tell(self, event, *told):
        for hook in self.hooks:
            getattr(hook, event)(*told)

    def run(self, loader):
        for epoch in range(10):
            for step, images in enumerate(loader):
                self.optimizer.zero_grad()
                self.model(images).sum().backward()
                self.optimizer.step()
                self.tell("on_batch_end", step)
            self.tell("on_epoch_end", epoch)


def run(model, loader):
    Runner(model, torch.optim.SGD(model.parameters(), 0.1), [Cleans(seldom=False)]).run(loader)
