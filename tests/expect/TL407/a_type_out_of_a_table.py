"""The type of the parameters comes out of a table, by a default of the builder."""

import torch
from torch import nn

DTYPES = {"fp16": torch.float16, "fp32": torch.float32}


class Builder:
    def __init__(self, precision="fp16"):
        self.dtype = DTYPES[precision]

    def model(self):
        return nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)).to(device="cuda", dtype=self.dtype)  # expect: TL407

    def optimizer(self, model):
        return torch.optim.AdamW(model.parameters(), lr=1e-4)


def main(loader):
    b = Builder()
    model = b.model()
    opt = b.optimizer(model)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        opt.step()
