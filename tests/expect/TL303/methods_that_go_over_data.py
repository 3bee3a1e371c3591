"""Models that evaluate themselves: a method goes over the data; also where the model is out of sight."""

import torch
from torch import nn
from torch.utils.data import DataLoader


class Translator(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, batch):
        return self.inner(batch)

    def performance(self, loader):
        total = 0.0
        for batch in loader:
            total += self.forward(batch).mean().item()
        return total

    def ranks(self, batches):
        return [self(batch).argmax(-1).tolist() for batch in batches]

    def score_pairs(self, left, right):
        return self.inner(left) * self.inner(right)


class Recognizer(Translator):
    """Another model that may be meant where nobody says which."""

    def performance(self, loader):
        return sum(self(batch["speech"]).mean().item() for batch in loader)

    def score_pairs(self, left, right):
        return self.inner(left + right)


def held_out(data):
    model = Translator(8)
    model.train(False)
    return model.performance(DataLoader(data, batch_size=8))  # expect: TL303


def ranked(path, data):
    model = Translator(8)
    model.load_state_dict(torch.load(path, weights_only=True))
    model.eval()
    print(model.ranks(DataLoader(data, batch_size=8)))  # expect: TL303


class MainLoop:
    """Who makes it, and with which model, nobody sees."""

    def __init__(self, model, loader):
        self.model = model
        self.loader = loader

    def validate(self):
        self.model.train(False)
        found = self.model.performance(self.loader)  # expect-likely: TL303
        self.model.train(True)
        return found

    def rank(self):
        self.model.eval()
        best = []
        for left, right in self.loader:
            scores = self.model.score_pairs(left, right)  # expect-likely: TL303
            best.append(scores.argmax(-1).tolist())
        return best


def told_by_train_alone(model, loader):
    model.train(False)
    total = 0.0
    for batch in loader:
        total += model(batch).mean().item()  # expect: TL303
    model.train()
    return total
