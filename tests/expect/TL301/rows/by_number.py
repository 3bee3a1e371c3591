"""A batch's output is taken apart, and each row kept under the number of its sample."""

import torch
from torch.nn import functional as F


class Embedder:
    def __init__(self, network: torch.nn.Module, optimizer):
        self.network, self.optimizer = network, optimizer
        self.memory = {}
        self.values = {}
        self.levels = {}
        self.parts = {}
        self.current = {}
        self.teachers = {}

    def epoch(self, loader):
        for samples, wanted, ids in loader:
            self.learn(samples, wanted, ids)
            self.learn_with_values(samples, wanted, ids)
            self.learn_places(samples, wanted, ids)
            self.learn_anew(samples, wanted, ids)
            self.learn_from(samples, wanted, ids)

    def learn(self, samples, wanted, ids):
        guessed = self.network(samples)
        self.follow(F.mse_loss(guessed.float(), wanted) * 0.5)
        for key, row in zip(ids.tolist(), guessed):
            self.memory[key] = row  # expect: TL301

    def learn_with_values(self, samples, wanted, ids):
        guessed = self.network(samples)
        self.follow(F.mse_loss(guessed.float(), wanted))
        for key, row, cut in zip(ids.tolist(), guessed.detach(), guessed):
            self.values[key] = row
            self.values[key] = cut.detach()
            self.values[key] = cut.mean().item()

    def learn_places(self, samples, wanted, ids):
        """The same keys come again with each batch."""
        guessed = self.network(samples)
        self.follow(F.mse_loss(guessed.float(), wanted))
        for place, row in enumerate(guessed):
            self.levels[place] = row
        for name, row in zip(("left", "right"), guessed):
            self.parts[name] = row
        for row in guessed:
            self.parts["last"] = row

    def learn_anew(self, samples, wanted, ids):
        """The dict lives as long as the batch."""
        self.current = {}
        guessed = self.network(samples)
        self.follow(F.mse_loss(guessed.float(), wanted))
        rows = {}
        for key, row in zip(ids.tolist(), guessed):
            self.current[key] = row
            rows[key] = row
        return rows

    def learn_from(self, samples, wanted, ids):
        """The first argument of the loss has no graph."""
        with torch.no_grad():
            taught = self.network(samples)
        self.follow(F.mse_loss(taught.float(), self.network(samples)))
        for key, row in zip(ids.tolist(), taught):
            self.teachers[key] = row

    def follow(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Named:
    """The same names are handed over in every round."""

    def __init__(self, network: torch.nn.Module, optimizer):
        self.network, self.optimizer = network, optimizer
        self.shown = {}

    def epoch(self, loader, names):
        for samples, wanted in loader:
            self.learn(samples, wanted, names)

    def learn(self, samples, wanted, names):
        guessed = self.network(samples)
        loss = F.mse_loss(guessed, wanted)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        for name, row in zip(names, guessed):
            self.shown[name] = row


def in_one_loop(network: torch.nn.Module, loader, optimizer):
    table, fixed = {}, {}
    for batch in loader:
        rows = network(batch["sample"])
        loss = F.l1_loss(rows, batch["wanted"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for key, row in zip(batch["id"], rows):
            table[int(key)] = row  # expect: TL301
        for place, row in enumerate(network(batch["sample"])):
            fixed[place] = row
    return table, fixed
