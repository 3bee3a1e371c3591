"""The model is wrapped in one file, the test stands in another, the step here."""

from checks import diverged, usable
from wrapping import distribute


class Trainer:
    def __init__(self, network, optimizer, criterion, ceiling=1e4):
        self.model = distribute(network)
        self.optimizer = optimizer
        self.criterion = criterion
        self.ceiling = ceiling

    def forward(self, batch):
        return self.criterion(self.model(batch["image"]), batch["label"])

    def epoch(self, loader):
        for batch in loader:
            loss = self.forward(batch)
            if diverged(loss.item(), self.ceiling):
                continue
            self.optimizer.zero_grad()
            loss.backward()  # expect: TL103
            self.optimizer.step()

    def short_epoch(self, loader, rounds):
        for index, batch in enumerate(loader):
            if index == rounds:
                break
            loss = self.forward(batch)
            if usable(loss):
                loss.backward()  # expect: TL103
            self.optimizer.step()
            self.optimizer.zero_grad()

    def until_it_breaks(self, loader):
        for batch in loader:
            loss = self.forward(batch)
            loss.backward()  # expect: TL103
            self.optimizer.step()
            self.optimizer.zero_grad()
            if diverged(loss.item(), self.ceiling):
                break
