import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.5))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


def main(loader, val):
    model = Net()
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
        model.train(False)  # expect: TL705
        with torch.no_grad():
            print(sum(F.cross_entropy(model(x), y).item() for x, y in val))


def put_back(loader, val):
    model = Net()
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        model.train(True)
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
        model.train(False)
        with torch.no_grad():
            print(sum(F.cross_entropy(model(x), y).item() for x, y in val))


def by_a_flag(loader, val, phases):
    model = Net()
    opt = torch.optim.Adam(model.parameters())
    for phase in phases:
        model.train(phase == "train")
        for x, y in loader if phase == "train" else val:
            loss = F.cross_entropy(model(x), y)
            if phase == "train":
                opt.zero_grad()
                loss.backward()
                opt.step()
