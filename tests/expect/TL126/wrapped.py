"""DDP by other names, around models that run as a whole."""

import torch
import torch.nn as nn
from torch.nn import parallel


class Stem(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3)
        self.norm = nn.BatchNorm2d(width)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self, width, classes, stem):
        super().__init__()
        self.classes = classes
        self.stem = stem
        self.stages = nn.Sequential(Stem(width), nn.MaxPool2d(2), nn.Conv2d(width, width, 3))
        self.head = nn.Linear(width, classes)

    def features(self, x):
        return self.stages(self.stem(x))

    def forward(self, x):
        x = self.features(x).mean((2, 3))
        logits = self.head(x)
        return logits


def main(args):
    model = Net(64, args.classes, Stem(3)).cuda(args.gpu)
    if args.distributed:
        model = parallel.DistributedDataParallel(  # expect: TL126
            model, device_ids=[args.gpu], find_unused_parameters=True
        )
    return model


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8), nn.Linear(8, 1)])

    def forward(self, x):
        for number, layer in enumerate(self.layers):
            x = layer(x)
        return x


def several(rank):
    wrap = nn.parallel.DistributedDataParallel
    critic = wrap(Critic().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126
    return torch.nn.ModuleList([critic, wrap(Stem(3).to(rank), device_ids=[rank])])
