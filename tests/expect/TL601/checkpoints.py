"""Loads as they are written: huggingface/pytorch-image-models, huggingface/accelerate, ultralytics/yolov5, pytorch/fairseq, timm, detr."""

import os
import pickle as pkl
from argparse import Namespace
from pathlib import Path

import dill
import torch
import torch as th
from torch import load
from torch.serialization import load as read


def average(paths):
    total = {}
    for path in paths:
        checkpoint = torch.load(path, map_location="cpu", weights_only=False)  # expect: TL601
        for key, value in checkpoint["state_dict"].items():
            total[key] = total.get(key, 0) + value
    return total


class Trainer:
    def __init__(self, model, args):
        self.model, self.args = model, args

    def load_checkpoint(self, tag="latest"):
        path = os.path.join(self.args.dir, f"{tag}.pt")
        if not os.path.exists(path):
            return
        checkpoint = torch.load(path, map_location=lambda storage, loc: storage)  # expect: TL601
        self.model.load_state_dict(checkpoint["model"])

    def load_optimizer(self, file):
        return th.load(file.open("rb"))  # expect: TL601


def opened(path: Path):
    with path.open("rb") as file:
        state = load(file)  # expect: TL601
    return Namespace(**state["args"])


def modules(path, other):
    whole = torch.load(path, pickle_module=dill)  # expect: TL601
    return whole, torch.load(other, "cpu", pkl, weights_only=False), read(other)  # expect: TL601, TL601


def mostly(path):
    try:
        return torch.load(path, weights_only=True)
    except pkl.UnpicklingError:
        return torch.load(path, weights_only=False)  # expect: TL601
