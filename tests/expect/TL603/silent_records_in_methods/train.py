import torch
from saving import keep_best, restore, write


class Trainer:
    def __init__(self, model, loader, path):
        self.model, self.loader, self.path = model, loader, path
        self.optimizer = torch.optim.Adam(model.parameters())
        self.epoch = 0
        self.best_loss = float("inf")
        self.best_score = 0.0

    def save(self, loss, score):
        if loss < self.best_loss:
            self.best_loss = loss
            write(self, "best.pt")
        keep_best(self, score)
        write(self, self.path)

    def fit(self, epochs, evaluate):
        for epoch in range(restore(self, self.path), epochs):
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(batch).mean().backward()
                self.optimizer.step()
            self.epoch = epoch + 1
            self.save(*evaluate(self.model))
