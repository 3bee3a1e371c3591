"""Switches that a class of settings holds."""

import random

import torch
from torch.backends import cudnn


class Settings:
    deterministic = True
    benchmark = True


class Careful:
    deterministic = True
    benchmark = False


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)
    cudnn.deterministic = Settings.deterministic
    cudnn.benchmark = Settings.benchmark  # expect: TL803


def seed_carefully(seed):
    random.seed(seed)
    torch.manual_seed(seed)
    cudnn.deterministic = Careful.deterministic
    cudnn.benchmark = Careful.benchmark
