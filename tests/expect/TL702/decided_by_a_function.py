import torch
from torch import nn
from helpers import ready


def a(model, loader, optimizer, state):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        if ready(state):
            optimizer.zero_grad()
        loss.backward()
        if ready(state):
            optimizer.step()


class T:
    def __init__(self, model, args):
        self.model, self.args = model, args
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def needed(self, name, every, progress):
        return self.timers[name].due(every, progress)

    def is_update(self, progress):
        return self.needed("update", self.args.accumulate, progress)

    def fit(self, loader, progress):
        for x, y in loader:
            loss = nn.functional.mse_loss(self.model(x), y)
            if self.is_update(progress):
                self.optimizer.zero_grad()  # expect-likely: TL702
            loss.backward()
            if self.is_update(progress):
                self.optimizer.step()
            progress.next()

    def right(self, loader, progress):
        for x, y in loader:
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            if self.is_update(progress):
                self.optimizer.step()
                self.optimizer.zero_grad()
            progress.next()

    def right2(self, loader, progress):
        for x, y in loader:
            if self.is_first(progress):
                self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            if self.is_update(progress):
                self.optimizer.step()

    def right3(self, loader, train):
        for x, y in loader:
            if train:
                self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            if train:
                self.optimizer.step()

    def right4(self, loader):
        for x, y in loader:
            if self.is_update(x):
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()

    def right5(self, loader):
        for x, y in loader:
            loss = nn.functional.mse_loss(self.model(x), y)
            if torch.cuda.is_available():
                self.optimizer.zero_grad()
            loss.backward()
            if torch.cuda.is_available():
                self.optimizer.step()
