"""Recognition with validation in a while loop; sampling in the middle of an epoch; evaluation in a step that is called by name."""

import torch
from torch import nn


def recognition(model, criterion, dataset, valid_loader, optimizer, interval, validation):
    model.train()
    iteration = 0
    while True:
        images, labels = dataset.get_batch()
        cost = criterion(model(images), labels)
        model.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        if (iteration + 1) % interval == 0:
            with open("log.txt", "a") as log:
                model.eval()  # expect: TL705
                with torch.no_grad():
                    total = sum(criterion(model(x), y).item() for x, y in valid_loader)
                log.write(f"{iteration} {total}\n")
        if iteration == 300_000:
            return
        iteration += 1


class Diffusion:
    """The samples in between are drawn from the model that is trained."""

    def __init__(self, model, loader, optimizer, accumulate):
        self.model, self.loader, self.optimizer, self.accumulate = model, loader, optimizer, accumulate
        self.step = 0

    def sample(self, count):
        self.model.eval()  # expect: TL705
        with torch.no_grad():
            images = torch.randn(count, 3, 32, 32)
            for t in reversed(range(1000)):
                images = self.model(images, t)
        return images

    def train(self, most, show):
        self.model.train()
        while self.step < most:
            for _ in range(self.accumulate):
                (self.model.loss(next(self.loader)) / self.accumulate).backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.step += 1
            if self.step % 1000 == 0:
                show(self.sample(16))
