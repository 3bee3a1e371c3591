"""Registered otherwise, by hand, without weights, on purpose, or no module of PyTorch at all."""

import copy
import itertools

import flax.linen as fnn
import keras
import torch
import torch.nn as nn


class Pyramid(nn.Module):
    """Only names stand in the list."""

    def __init__(self, channels):
        super().__init__()
        self.blocks = []
        for index, width in enumerate(channels):
            name = f"inner{index}"
            self.add_module(name, nn.Conv2d(width, 256, 1))
            self.blocks.append(name)

    def forward(self, maps):
        return [getattr(self, name)(x) for name, x in zip(self.blocks, maps)]


class Converted(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.loc, self.conf = [], []
        for _ in range(count):
            self.loc += [nn.Conv2d(8, 4, 3)]
            self.conf += [nn.Conv2d(8, 21, 3)]
        self.loc = nn.ModuleList(self.loc)
        self.conf = nn.ModuleList(self.conf)


class Unpacked(nn.Module):
    def __init__(self, widths):
        super().__init__()
        blocks = [nn.Linear(a, b) for a, b in zip(widths, widths[1:])]
        self.blocks = blocks
        self.net = nn.Sequential(*self.blocks)


class Renamed(nn.Module):
    """A list first, layers that run in order at last."""

    def __init__(self, width, strides):
        super().__init__()
        self.block = [nn.Conv1d(1, width, 7, padding=3)]
        for stride in strides:
            width *= 2
            self.block += [nn.Conv1d(width // 2, width, 2 * stride, stride=stride)]
        self.block += [nn.ELU(), nn.Conv1d(width, 1, 3, padding=1)]
        self.block = nn.Sequential(*self.block)


class SetAttributes(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.convs = []
        for index in range(count):
            conv = nn.Conv2d(3, 3, 3)
            setattr(self, f"conv{index}", conv)
            self.convs.append(conv)


class OneByOne(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        b = nn.Linear(2, 2)
        self.b = b
        self.layers = [self.a, b]


class Teachers(nn.Module):
    """Frozen, and kept out of the checkpoint."""

    def __init__(self, student, teachers):
        super().__init__()
        self.student = student
        self.teachers = [copy.deepcopy(teacher).eval() for teacher in teachers]
        self.vgg = [nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU())]


class Frozen(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.random = [nn.Linear(4, 4) for _ in range(count)]
        for layer in self.random:
            for weight in layer.parameters():
                weight.requires_grad = False


class OwnParameters(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.parts = [nn.Linear(4, 4) for _ in range(count)]

    def parameters(self, recurse=True):
        return itertools.chain.from_iterable(part.parameters() for part in self.parts)


class Tools(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.pools = [nn.MaxPool2d(2) for _ in range(count)]
        self.drops = [nn.ReLU(), nn.Identity()]
        self.shapes = [torch.zeros(3) for _ in range(count)]
        self.names = {"relu": nn.ReLU(), "gelu": nn.GELU()}


class Net(fnn.Module):
    """Flax finds what is in lists."""

    def setup(self):
        self.layers = [fnn.Dense(4) for _ in range(3)]


class Keras(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [keras.layers.Dense(4) for _ in range(3)]


class Ensemble:
    """No module itself: it trains each by itself."""

    def __init__(self, count):
        self.members = [nn.Linear(4, 1) for _ in range(count)]
        self.optimizers = [torch.optim.SGD(member.parameters(), lr=0.1) for member in self.members]


class RegisteredValues(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = {"a": nn.Linear(4, 4), "b": nn.Linear(4, 4)}
        self.all = nn.ModuleList(list(self.parts.values()))

    def forward(self, x):
        return x


class RegisteredCopy(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(4, 4), nn.Linear(4, 4)]
        self.all = nn.ModuleList([m for m in self.parts])

    def forward(self, x):
        return x


class TakenPairwise(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(4, 4), nn.Linear(4, 4)]
        self.norms = [nn.BatchNorm1d(4), nn.BatchNorm1d(4)]
        self.all = nn.ModuleList()
        for a, b in zip(self.parts, self.norms):
            self.all.append(nn.Sequential(a, b))

    def forward(self, x):
        return x


class TakenOneByOne(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(4, 4), nn.Linear(4, 4)]
        seq = []
        for p in self.parts:
            seq.append(p)
            seq.append(nn.ReLU())
        self.all = nn.Sequential(*seq)

    def forward(self, x):
        return x


class TakenByIndex(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(4, 4), nn.Linear(4, 4)]
        seq = []
        for i in range(2):
            seq += [self.parts[i], nn.ReLU()]
        self.all = nn.Sequential(*seq)

    def forward(self, x):
        return x


class LookedUp(nn.Module):
    """One of two is the backbone, by its name; as in sthalles/SimCLR."""

    def __init__(self, base, width):
        super().__init__()
        self.known = {"plain": nn.Linear(8, width), "normed": nn.Sequential(nn.Linear(8, width), nn.LayerNorm(width))}
        self.backbone = self._choose(base)

    def _choose(self, name):
        try:
            model = self.known[name]
        except KeyError:
            raise ValueError(name) from None
        else:
            return model

    def forward(self, x):
        return self.backbone(x)
