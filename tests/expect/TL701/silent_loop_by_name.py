"""The loop clears the gradients itself, or there is none; and a name that many other things have says nothing."""

import torch


class Tagger:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=rate)

    def train_on_batch(self, features, labels):
        loss = torch.nn.functional.cross_entropy(self.model(features), labels)
        loss.backward()
        self.optimizer.step()
        return {"loss": loss.item()}

    def fit_once(self, features, labels):
        loss = torch.nn.functional.cross_entropy(self.model(features), labels)
        loss.backward()
        self.optimizer.step()

    def update(self, features, labels):
        loss = torch.nn.functional.cross_entropy(self.model(features), labels)
        loss.backward()
        self.optimizer.step()


class Ranker:
    def train_on_batch(self, features, labels):
        return {}

    def fit_once(self, features, labels):
        return {}

    def update(self, features, labels):
        return {}


class Trainer:
    def __init__(self, chosen, counts):
        self.chosen, self.counts = chosen, counts

    def train(self, iterator):
        for features, labels in iterator.batches(8):
            self.chosen.optimizer.zero_grad()
            print(self.chosen.train_on_batch(features, labels))
            self.counts.update(features, labels)

    def once(self, features, labels):
        self.chosen.fit_once(features, labels)
