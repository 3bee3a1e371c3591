"""Names with block, log, evaluate, finish or cpu in them, of functions that do nothing of the kind."""

import time

import torch
from torch import nn


def transformer_block(x, scale):
    return x * scale


def log_shape(x):
    return x.shape


def evaluate_mask(size):
    return torch.ones(size, device="cuda")


def one(model, x):
    model.cuda()
    start = time.time()
    y = model(x)
    z = transformer_block(y, 2)
    return time.time() - start, z  # expect: TL802


def two(model, x):
    model.cuda()
    start = time.time()
    y = model(x)
    log_shape(y)
    return time.time() - start  # expect: TL802


def three(model, x):
    model.cuda()
    start = time.time()
    mask = evaluate_mask(8)
    y = model(x, mask)
    return time.time() - start, y  # expect: TL802


def run_cpu_bound_part(model, x, files):
    model.cuda()
    start = time.time()
    y = model(x)
    return time.time() - start, y  # expect: TL802


def four(model, x, tracker):
    model.cuda()
    start = time.time()
    tracker.finish_phase("forward")
    y = model(x)
    return time.time() - start, y  # expect: TL802
