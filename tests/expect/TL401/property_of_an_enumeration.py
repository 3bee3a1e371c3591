"""The precision is a property of the member of an enumeration."""

import enum
from contextlib import nullcontext
from functools import cached_property

import torch
from torch import nn


class Precision(str, enum.Enum):
    FP32 = "fp32"
    FP16 = "fp16"
    BF16 = "bf16"

    @property
    def dtype(self):
        return {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}[self.value]


class Worker:
    precision = Precision.FP16

    def __init__(self, model, loader):
        self.model = model.cuda()
        self.loader = loader

    @cached_property
    def optimizer(self):
        return torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def autocast(self):
        if self.precision is Precision.FP32:
            return nullcontext()
        return torch.autocast("cuda", dtype=self.precision.dtype)

    def run(self):
        for x, y in self.loader:
            with self.autocast():  # expect: TL401
                loss = nn.functional.mse_loss(self.model(x.cuda()), y.cuda())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
