"""Gradients are switched in the same file or around something else: the evaluation records its graphs all the same."""

import torch
from torch.autograd import Variable


class Phases:
    """The training switches by its phase; the test that somebody added later does not."""

    def __init__(self, model, loaders, criterion, optimizer):
        self.model, self.loaders = model, loaders
        self.criterion, self.optimizer = criterion, optimizer

    def run(self, phase):
        self.model.train(phase == "train")
        for images, labels in self.loaders[phase]:
            self.optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = self.criterion(self.model(images), labels)
            if phase == "train":
                loss.backward()
                self.optimizer.step()

    def measure(self, loader):
        self.model.eval()
        right, seen = 0, 0
        for images, labels in loader:
            right += (self.model(images).argmax(1) == labels).sum().item()  # expect: TL303
            seen += len(labels)
        return right / seen

    def fit(self, epochs, test_loader):
        for epoch in range(epochs):
            self.run("train")
            self.run("val")
            print(epoch, self.measure(test_loader))


def distill(student, teacher, loader, held_out, optimizer, criterion):
    """Only the teacher runs without gradients."""
    for epoch in range(10):
        student.train()
        for images, labels in loader:
            optimizer.zero_grad()
            with torch.no_grad():
                soft = teacher(images).softmax(-1)
            criterion(student(images), soft, labels).backward()
            optimizer.step()
        student.eval()
        error = 0.0
        for images, labels in held_out:
            error += (student(images) - labels).abs().mean().item()  # expect: TL303
        print(epoch, error / len(held_out))


def not_volatile(model, loader):
    model.eval()
    for batch, labels in loader:
        batch, labels = Variable(batch, volatile=False), Variable(labels)
        print((model(batch).argmax(1) == labels).sum().item())  # expect: TL303


class Measuring:
    """Gradients are off for one of two kinds only."""

    def __init__(self, trainer, loader):
        self.trainer, self.loader = trainer, loader

    def measure_all(self):
        with torch.no_grad():
            self.measure_one()
        self.measure_pairs()


class MeasuringOne(Measuring):
    def __init__(self, trainer, loader):
        super().__init__(trainer, loader)
        self.model = trainer.model

    def measure_one(self):
        self.model.eval()
        for batch in self.loader:
            print(self.model(batch).mean())


class MeasuringPairs(Measuring):
    def __init__(self, trainer, loader):
        super().__init__(trainer, loader)
        self.encoder, self.decoder = trainer.encoder, trainer.decoder

    def measure_pairs(self):
        self.encoder.eval()
        self.decoder.eval()
        for batch in self.loader:
            print(self.decoder(self.encoder(batch)).mean())  # expect: TL303


def measured(trainer, loader, pairs):
    not_volatile(trainer.model, loader)
    measuring = MeasuringPairs(trainer, loader) if pairs else MeasuringOne(trainer, loader)
    measuring.measure_all()
