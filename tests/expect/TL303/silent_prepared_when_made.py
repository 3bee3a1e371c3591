"""The same, without gradients, for the gradients, or beside another model that is trained."""

import torch


class Scorer:
    def __init__(self, model):
        model.eval()
        self.model = model

    @torch.no_grad()
    def score(self, loader):
        return sum(self.model(batch).mean().item() for batch in loader)

    def one(self, batch):
        return self.model(batch)

    def saliency(self, loader):
        found = []
        for batch in loader:
            batch.requires_grad_(True)
            (gradient,) = torch.autograd.grad(self.model(batch).sum(), batch)
            found.append(gradient.abs())
        return found


class Distiller:
    def __init__(self, teacher, student, optimizer):
        self.teacher, self.student, self.optimizer = teacher, student, optimizer
        self.teacher.eval()

    def fit(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            loss = (self.student(batch) - 1).pow(2).mean()
            loss.backward()
            self.optimizer.step()
