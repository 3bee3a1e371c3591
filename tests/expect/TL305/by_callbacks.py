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
