"""Ways to say it: kohya-ss/sd-scripts, facebookresearch/SlowFast, microsoft/Swin-Transformer, dmlc/dgl, NVIDIA/DeepLearningExamples."""

import contextlib
from functools import partial

import torch
import torch as th
import torch.cuda.amp as amp
from torch import cuda, nn
from torch.cuda.amp import autocast as half
from torch.cuda.amp.autocast_mode import custom_fwd


class Trainer:
    def __init__(self, cfg, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.scaler = torch.cuda.amp.GradScaler(enabled=cfg.mixed) if cfg.train else None  # expect: TL904

    def step(self, x):
        self.optimizer.zero_grad()
        with th.cuda.amp.autocast(enabled=self.scaler is not None):  # expect: TL904
            loss = self.model(x)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Head(nn.Module):
    @half(enabled=False)  # expect: TL904
    def forward(self, x):
        return x.float()


class Gather(torch.autograd.Function):
    @staticmethod
    @custom_fwd  # expect: TL904
    def forward(ctx, x):
        return x


def sample(model, x, final):
    context = contextlib.nullcontext() if final else cuda.amp.autocast()  # expect: TL904
    with context:
        return model(x)


def nested(model, x, dtype):
    with amp.autocast(True, dtype):  # expect: TL904
        x = model(x)
    with torch.no_grad(), amp.autocast(*x.options):  # expect: TL904
        return model(x)


def handed_on():
    return partial(amp.GradScaler, init_scale=1.0)  # expect: TL904
