"""What a list or dict of a module holds: with weights or without, made there or handed over, nested, joined, put in by a method."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x)


class Wide(Block):
    def forward(self, x):
        return self.inner(x) * 2


class Silent(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


class Record:
    def __init__(self, width):
        self.layer = nn.Linear(width, width)


class OwnBlocks(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.blocks = [Block(8) for _ in range(count)]  # expect: TL714


class OwnBlocksByInheritance(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.blocks = [Wide(8) for _ in range(count)]  # expect: TL714


class OwnBlocksWithoutWeights(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.blocks = [Silent() for _ in range(count)]


class RecordsThatAreNoModules(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.records = [Record(8) for _ in range(count)]


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.activations = [nn.ReLU(), nn.Sigmoid()]


class LayersAmongActivations(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.ReLU(), nn.Linear(8, 8), Silent()]  # expect: TL714


class LayersAndFunctions(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [torch.relu, nn.Linear(8, 8), torch.tanh]  # expect: TL714


class SequencesOfActivations(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Sequential(nn.ReLU(), nn.Flatten()), nn.Sequential(nn.Tanh())]


class SequencesThatDrop(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Sequential(nn.ReLU(), nn.Dropout(0.1)), nn.Sequential(nn.Tanh())]  # expect: TL714


class SequencesWithLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1)), nn.Sequential(nn.Tanh())]  # expect: TL714


class HandedOver(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.parts = [encoder, decoder]


class InPairs(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.pairs = [(nn.Linear(8, 8), nn.ReLU()) for _ in range(count)]  # expect: TL714


class ListsOfLists(nn.Module):
    def __init__(self):
        super().__init__()
        self.grid = [[nn.Linear(8, 8), nn.Linear(8, 4)], [nn.Linear(4, 4), nn.Linear(4, 2)]]  # expect: TL714


class Joined(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(3, 8)] + [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714


class JoinedWithWhatWasHanded(nn.Module):
    def __init__(self, others):
        super().__init__()
        self.layers = [nn.Linear(3, 8), nn.Linear(8, 3)] + others  # expect: TL714


class UnderNames(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"kind": nn.Linear(8, 3), "box": nn.Linear(8, 4)}  # expect: TL714


class UnderNumbers(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {3: nn.Linear(8, 3), 4: nn.Linear(8, 4)}  # expect: TL714


class UnderNamesWithDots(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"head.kind": nn.Linear(8, 3), "head.box": nn.Linear(8, 4)}  # expect: TL714


class UnderNamesThatAreGiven(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.heads = {first: nn.Linear(8, 3), second: nn.Linear(8, 4)}  # expect: TL714


class BeforeTheModuleIsSetUp(nn.Module):
    def __init__(self, count):
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714
        super().__init__()


class PutInAtItsFront(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = []  # expect: TL714
        for _ in range(count):
            self.layers.insert(0, nn.Linear(8, 8))


class ChangedAsOnlyListsCan(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714

    def turn(self):
        self.layers.reverse()


class ReplacedOneByOne(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714

    def widen(self, index, width):
        self.layers[index] = nn.Linear(8, width)


class AlsoAnAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []
        self.first = nn.Linear(8, 8)
        self.layers.append(self.first)


class RegisteredOneByOne(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = []
        for i in range(count):
            layer = nn.Linear(8, 8)
            self.register_module(f"layer{i}", layer)
            self.layers.append(layer)


class ParametersInADict(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = {"start": nn.Parameter(torch.zeros(8)), "end": nn.Parameter(torch.zeros(8))}  # expect: TL714


class ParametersAndLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Parameter(torch.zeros(8)), nn.Linear(8, 8)]  # expect: TL714


class Tensors(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = [torch.zeros(8), torch.ones(8)]
