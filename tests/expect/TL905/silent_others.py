"""Names that are not old: a module of that name, methods, own functions, other libraries; versions that are asked about."""

import math
from math import inf

import numpy as np
import torch
import torch.fft
from jax import grad, vmap
from numpy.linalg import norm, qr, svd
from torch import fft, jit
from torch.func import hessian

TORCH_MAJOR, TORCH_MINOR = (int(part) for part in torch.__version__.split(".")[:2])


def cholesky(matrix, upper=False):
    return torch.linalg.cholesky(matrix, upper=upper)


def numbers(x, verbose):
    total = sum(range(10)) + norm(x) + qr(x)[0] + svd(x)[0] + math.inf
    return total, grad(numbers), vmap(numbers), hessian(numbers), cholesky(x), x.cholesky(), x.symeig(), inf


def spectrum(x):
    return fft.fft(x), torch.fft.rfft(x), np.fft.ifft(x)


@jit.script
def scripted(x: torch.Tensor):
    return x


def versions(x):
    if torch.__version__ < "1.9":
        return torch.symeig(x, eigenvectors=True)
    return torch.linalg.eigh(x)


def attempt(x):
    try:
        return torch.linalg.eigvalsh(x)
    except AttributeError:
        return torch.symeig(x)[0]


class Schedule(torch.optim.lr_scheduler.StepLR):
    def __init__(self, optimizer, verbose=False):
        super().__init__(optimizer, 3)
        self.verbose = verbose


def pairs(x, *more, **options):
    return torch.meshgrid(x, x, indexing="xy"), torch.meshgrid(x, *more, **options)
