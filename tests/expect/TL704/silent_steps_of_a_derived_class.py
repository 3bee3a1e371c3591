import torch
from torch import nn


class Base:
    def fit(self, train_loader, val_loader, epochs):
        self.setup()
        for epoch in range(epochs):
            self.model.train()
            for batch in train_loader:
                self.training_step(batch)
            self.validate(val_loader)

    def validate(self, loader):
        self.model.eval()
        with torch.inference_mode():
            outputs = [self.validation_step(batch) for batch in loader]
        self.report(outputs)

    def report(self, outputs):
        print(torch.stack(outputs).mean().item())


class Regression(Base):
    def setup(self):
        self.model = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.5), nn.Linear(16, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def training_step(self, batch):
        x, y = batch
        loss = (self.model(x) - y).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def validation_step(self, batch):
        x, y = batch
        return (self.model(x) - y).abs().mean()


def main(train_loader, val_loader):
    Regression().fit(train_loader, val_loader, 10)
