"""The function is an option of the model, chosen by who constructs it: as in huggingface/transformers and NVIDIA/NeMo."""

from functools import partial

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

RUNNERS = {"whole": checkpoint, "parts": checkpoint_sequential}


def runner():
    return torch.utils.checkpoint.checkpoint


class Encoder(nn.Module):
    def __init__(self, layers, run_layer):
        super().__init__()
        self.layers, self.run_layer, self.runs = nn.ModuleList(layers), run_layer, runner()

    def forward(self, x):
        for layer in self.layers:
            x = self.run_layer(layer, x)  # expect: TL306
        x = self.runs(self.layers[0], x, use_reentrant=False)
        return runner()(self.layers[-1], x)  # expect: TL306


class Decoder(nn.Module):
    def __init__(self, layers, run_layer, last):
        super().__init__()
        self.layers, self.run_layer, self.last = nn.ModuleList(layers), run_layer, last

    def forward(self, x):
        for layer in self.layers:
            x = self.run_layer(layer, x)
        return self.last(self.layers[-1], x)


def plain(layer, x):
    return layer(x)


def build(layers, option):
    decoder = Decoder(layers, partial(checkpoint, use_reentrant=False), checkpoint if option else plain)
    return Encoder(layers, checkpoint), decoder


def choose(layer, x):
    return RUNNERS["whole"](layer, x)  # expect: TL306
