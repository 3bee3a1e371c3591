import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, width), nn.Dropout(0.1), nn.Linear(width, 2))

    def forward(self, x):
        return self.body(x)


def small(scale=1):
    model = Net(4 * scale)
    return model


def large(scale=1):
    model = Net(64 * scale)
    return model


def build(name, **options):
    models = {"small": small, "large": large}
    return models[name](**options)


class Trainer:
    def __init__(self, args, train_loader, val_loader):
        self.model = build(args.model, scale=args.scale).to(args.device)
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train_epoch(self):
        for images, targets in self.train_loader:
            loss = self.criterion(self.model(images), targets)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def forgotten(self, epochs):
        self.model.train()
        for _ in range(epochs):
            self.train_epoch()
            self.validate()

    def restored(self, epochs):
        for _ in range(epochs):
            self.model.train()
            self.train_epoch()
            self.validate_again()

    @torch.no_grad()
    def validate(self):
        self.model.eval()  # expect: TL705
        for images, targets in self.val_loader:
            print(self.criterion(self.model(images), targets).item())

    @torch.no_grad()
    def validate_again(self):
        self.model.eval()
        for images, targets in self.val_loader:
            print(self.criterion(self.model(images), targets).item())


class Distilled:
    def __init__(self, args, train_loader):
        self.teacher = build(args.teacher)
        self.model = build(args.model)
        self.train_loader = train_loader
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, epochs):
        self.model.train()
        for _ in range(epochs):
            self.teacher.eval()
            for images, _ in self.train_loader:
                with torch.no_grad():
                    wanted = self.teacher(images)
                loss = nn.functional.mse_loss(self.model(images), wanted)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


def main(args, train_loader, val_loader):
    Trainer(args, train_loader, val_loader).forgotten(args.epochs)
    Trainer(args, train_loader, val_loader).restored(args.epochs)
    Distilled(args, train_loader).fit(args.epochs)
