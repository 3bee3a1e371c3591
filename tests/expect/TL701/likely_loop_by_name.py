"""Several classes have the method that a loop calls, of an object of which nobody knows what it is."""

import torch


class Tagger:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=rate)

    def train_on_batch(self, features, labels):
        loss = torch.nn.functional.cross_entropy(self.model(features), labels)
        loss.backward()
        self.optimizer.step()  # expect-likely: TL701
        return {"loss": loss.item()}


class Ranker:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=rate)

    def train_on_batch(self, features, labels):
        self.optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(self.model(features), labels)
        loss.backward()
        self.optimizer.step()
        return {"loss": loss.item()}


class Trainer:
    def __init__(self, chosen):
        self.chosen = chosen

    def train(self, iterator):
        for features, labels in iterator.batches(8):
            print(self.chosen.train_on_batch(features, labels))
