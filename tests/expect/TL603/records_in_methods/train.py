import torch
from saving import keep_best, restore, write


class Trainer:
    def __init__(self, model, loader, path):
        self.model, self.loader, self.path = model, loader, path
        self.optimizer = torch.optim.Adam(model.parameters())
        self.epoch = 0
        self.best_loss = float("inf")
        self.best_tail = float("inf")

    def save(self, loss, tail):
        if loss < self.best_loss:
            self.best_loss = loss
            write(self, "best.pt")
        if tail < self.best_tail:
            self.best_tail = tail
            write(self, "best_tail.pt")  # expect-likely: TL603
        write(self, self.path)

    def fit(self, epochs, evaluate):
        for epoch in range(restore(self, self.path), epochs):
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(batch).mean().backward()
                self.optimizer.step()
            self.epoch = epoch + 1
            self.save(*evaluate(self.model))


class Scorer:
    def __init__(self, model, loader, path):
        self.model, self.loader, self.path = model, loader, path
        self.optimizer = torch.optim.Adam(model.parameters())
        self.epoch = 0
        self.best_loss = None
        self.best_score = 0.0

    def fit(self, epochs, evaluate):
        for epoch in range(restore(self, self.path), epochs):
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(batch).mean().backward()
                self.optimizer.step()
            self.epoch = epoch + 1
            write(self, self.path)
            keep_best(self, evaluate(self.model))
