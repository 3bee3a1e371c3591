"""Objects that put a model into evaluation mode when they are made, and run it in another method."""

import torch


class Scorer:
    def __init__(self, model, size):
        model.eval()
        self.model, self.size = model, size

    def score(self, loader):
        total = 0.0
        for batch in loader:
            total += self.model(batch).mean().item()  # expect-likely: TL303
        return total


class Tester:
    def __init__(self, path):
        self.model = torch.hub.load("acme/models", path)
        self.model.train(False)

    def __call__(self, splits, loaders):
        for split in splits:
            print(split, self._test(self.model, loaders[split]))

    def _test(self, model, loader):
        right = 0
        for batch, labels in loader:
            right += (model(batch).argmax(-1) == labels).sum().item()  # expect-likely: TL303
        return right


def scorer(model):
    return Scorer(model, 8)
