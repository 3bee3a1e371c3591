"""A teacher, a reference, an average and a frozen part are in evaluation mode on purpose; a script evaluates at its end."""

import torch


def distilled(student, teacher, loader, held_out, optimizer, distance):
    teacher.eval()
    for epoch in range(10):
        student.train()
        teacher.eval()
        for batch in loader:
            optimizer.zero_grad()
            distance(student(batch), teacher(batch)).backward()
            optimizer.step()
        student.eval()
        with torch.no_grad():
            for batch in held_out:
                distance(student(batch), teacher(batch))


def tuned_with_frozen_norms(model, loader, held_out, optimizer):
    for epoch in range(10):
        model.train()
        model.backbone.eval()
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        with torch.no_grad():
            model.eval()
            for batch in held_out:
                model(batch)


def averaged(model, ema, loader, held_out, optimizer):
    for epoch in range(10):
        model.train()
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            ema.update(model)
        shadow = ema.module
        shadow.eval()
        with torch.no_grad():
            for batch in held_out:
                shadow(batch)


def over_folds(make, folds, optimizer_of):
    scores = []
    for train_part, test_part in folds:
        model = make()
        optimizer = optimizer_of(model.parameters())
        model.train()
        for batch in train_part:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            scores += [model(batch).mean().item() for batch in test_part]
    return scores


def attacked(model, attack, loader, optimizer, criterion):
    for x, y in loader:
        model.eval()
        hostile = attack(model, x, y)
        model.train()
        optimizer.zero_grad()
        criterion(model(hostile), y).backward()
        optimizer.step()


class Preferences:
    def __init__(self, model, reference, optimizer):
        self.model = model
        self.reference = reference
        self.optimizer = optimizer

    def fit(self, loader):
        for epoch in range(3):
            self.model.train()
            self.reference.eval()
            for batch in loader:
                scores = self.scores(self.model, batch)
                with torch.no_grad():
                    reference_scores = self.scores(self.reference, batch)
                (scores - reference_scores).sum().backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.score_held_out(loader)

    def score_held_out(self, loader):
        self.model.eval()
        with torch.no_grad():
            for batch in loader:
                print(self.scores(self.model, batch) - self.scores(self.reference, batch))
        self.model.train()

    def scores(self, model, batch):
        return model(batch).log_softmax(-1)

    def warm_up(self, loader, optimizer):
        self.reference.train()
        for batch in loader:
            self.scores(self.reference, batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
