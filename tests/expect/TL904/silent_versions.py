"""Code that knows of versions: rwightman's timm, open-mmlab/mmcv, ultralytics/yolov5, Lightning-AI/litgpt, speechbrain, pyg-team."""

import warnings

import torch
from packaging import version

TORCH_2_4 = version.parse(torch.__version__) >= version.parse("2.4")
_NEWER = TORCH_2_4

try:
    from torch.cuda.amp import autocast

    has_native_amp = True
except (ImportError, AttributeError):
    autocast = None
    has_native_amp = False

if TORCH_2_4:
    from torch.amp import custom_bwd
else:
    from torch.cuda.amp import custom_bwd


def digit_version(text):
    return tuple(map(int, text.split(".")[:2]))


def amp_autocast(enabled, device="cuda"):
    if digit_version(torch.__version__) >= (1, 13):
        return torch.autocast(device, enabled=enabled)
    else:
        return torch.cuda.amp.autocast(enabled=enabled)


def scaler(enabled):
    return torch.amp.GradScaler("cuda", enabled=enabled) if _NEWER else torch.cuda.amp.GradScaler(enabled=enabled)


def attempt(enabled):
    try:
        return torch.amp.GradScaler("cuda", enabled=enabled)
    except AttributeError:
        return torch.cuda.amp.GradScaler(enabled=enabled)


def early(enabled):
    if hasattr(torch, "amp"):
        return torch.amp.autocast("cuda", enabled=enabled)
    return torch.cuda.amp.autocast(enabled=enabled)


if not hasattr(torch.amp, "GradScaler"):

    def make():
        return torch.cuda.amp.GradScaler()


def quiet(model, x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        with torch.cuda.amp.autocast():
            return model(x)


def native(model, x):
    with autocast():
        return model(x)


class Function(torch.autograd.Function):
    @staticmethod
    @custom_bwd
    def backward(ctx, grad):
        return grad
