import torch
import torch.nn as nn
import torch.nn.functional as F


LIN = nn.Linear(1, 1)


class Drop(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        return F.dropout(x, self.p, training=self.training)


class A(nn.Module):
    def __init__(self, rates):
        super().__init__()
        self.drops = []  # expect: TL714
        for p in rates:
            drop = Drop(p)
            self.drops.append(drop)

    def forward(self, x):
        for d in self.drops:
            x = d(x)
        return x


class B(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.drops = [nn.Dropout(0.1) for _ in range(n)]  # expect: TL714

    def forward(self, x):
        for d in self.drops:
            x = d(x)
        return x


class C(nn.Module):
    def __init__(self):
        super().__init__()
        self.drops = {"a": nn.Dropout(0.1), "b": nn.Dropout(0.2)}  # expect: TL714

    def forward(self, x, k):
        return self.drops[k](x)


class Right1(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.drops = nn.ModuleList(nn.Dropout(0.1) for _ in range(n))

    def forward(self, x):
        for d in self.drops:
            x = d(x)
        return x


class Right2(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.acts = [nn.ReLU(), nn.GELU()]

    def forward(self, x):
        for a in self.acts:
            x = a(x)
        return x


class Right3(nn.Module):
    def __init__(self, n):
        super().__init__()
        layers = []
        for _ in range(n):
            layers.append(nn.Dropout(0.1))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Right4(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.drops = [nn.Dropout(0.0), nn.Dropout(0.0)]

    def forward(self, x):
        return self.drops[0](x)


def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()


class Right5(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.drops = [nn.Dropout(0.1) for _ in range(n)]

    def train(self, mode=True):
        for drop in self.drops:
            drop.train(mode)
        return super().train(mode)

    def forward(self, x):
        return self.drops[0](x)
