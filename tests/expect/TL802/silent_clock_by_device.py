"""Two clocks by one name: for GPUs and without one; or none of them waits."""

import time

import torch

USE_CUDA = torch.cuda.is_available()
DISTRIBUTED = False


def _plain():
    return time.time()


def _waiting():
    torch.cuda.synchronize()
    return time.time()


def _rounded():
    return round(time.time())


now = _waiting if USE_CUDA else _plain
stamp = _rounded if DISTRIBUTED else _plain


def by_its_name(model, x, device_type):
    if device_type == "cuda":
        model.cuda()
        return None
    elif device_type == "cpu":
        start = time.time()
        model(x)
        return time.time() - start


def without_one(model, x, device):
    if torch.cuda.is_available() and device != "cpu":
        model.cuda()
    else:
        start = time.time()
        model(x)
        print(time.time() - start)
