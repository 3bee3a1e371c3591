"""Checkpoints, checkpointed blocks, loaders, collate functions, logarithms."""

import pickle

import torch
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader
from torch.utils.data._utils.collate import default_collate


def resume(path):
    plain = torch.load(path)
    moved = torch.load(path, map_location="cpu")
    module = torch.load(path, pickle_module=pickle)
    return plain, moved, module


def blocks(layer, x):
    x = checkpoint(layer, x)
    return torch.utils.checkpoint.checkpoint(layer, x, preserve_rng_state=False)


def batches(data):
    loader = DataLoader(data, batch_size=4)
    whole = default_collate(data)
    return loader, whole, torch.utils.data._utils.collate.default_convert(data)


def small(x):
    x.require_grad = True
    first = torch.log(1 + x)
    return first, torch.exp(x) - 1
