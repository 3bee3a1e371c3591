"""A function sets the variable, and every call of it comes too late."""

import os

import torch


def show_only(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)  # expect: TL115


def pick(model, gpu):
    model = model.cuda()
    show_only(gpu)
    return torch.compile(model)
