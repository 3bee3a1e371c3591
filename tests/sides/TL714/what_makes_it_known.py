"""Layers in a list or dict of a module: what else is done with the list, so that the layers may be known after all."""

import torch
from torch import nn


class Plain(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714


class FreezesSome(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self.bias = nn.Parameter(torch.zeros(8))
        self.bias.requires_grad = False


class SetsItsTable(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self._modules = {str(i): layer for i, layer in enumerate(self.layers)}


class FillsItsTable(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        for i, layer in enumerate(self.layers):
            self._modules.update({str(i): layer})


class MovesThemToTheDevice(nn.Module):
    def __init__(self, count, device):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714
        self.device = device
        print(len(self.layers), "layers")


class InASequence(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self.body = nn.Sequential(*self.layers)


class CopiedIntoASequence(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self.body = nn.ModuleList(list(self.layers))


class TurnedIntoASequence(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self.body = nn.ModuleList(reversed(self.layers))


class TogetherWithOthersInASequence(nn.Module):
    def __init__(self, count, head):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self.body = nn.ModuleList(self.layers + [head])


class AllButTheLastInASequence(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self.body = nn.ModuleList(self.layers[:-1])


class OnlyCountedAndPrinted(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714
        print("layers", list(self.layers))


class HandedToAHelper(nn.Module):
    def __init__(self, count, register):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        register(self, self.layers)


class HandsOutItsParameters(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.handed_out = [nn.Linear(8, 8) for _ in range(count)]

    def parameters(self, recurse=True):
        for layer in self.handed_out:
            yield from layer.parameters(recurse)


class AsksItselfForParameters(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714
        self.size = sum(weight.numel() for weight in self.parameters())


class AsksTheLayersForParameters(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.own_layers = [nn.Linear(8, 8) for _ in range(count)]
        self.size = sum(weight.numel() for layer in self.own_layers for weight in layer.parameters())


class BecomesAModuleListLater(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]
        self.finish()

    def finish(self):
        self.layers = nn.ModuleList(self.layers)


class IsEmptiedLater(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(count)]  # expect: TL714

    def drop(self):
        self.layers = None


class NotAModule:
    def __init__(self, count):
        self.layers = [nn.Linear(8, 8) for _ in range(count)]


class InAModuleOfLightning(torch.nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = (nn.Linear(8, 8), nn.Linear(8, count))  # expect: TL714
