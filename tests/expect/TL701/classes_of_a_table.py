import torch
from torch import nn

OPTIMIZERS = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}


def build_optimizers(models, cfg):
    return {name: OPTIMIZERS[cfg["opt"]](m.parameters(), lr=cfg["lr"]) for name, m in models.items()}


class System:
    def __init__(self, cfg):
        self.models = nn.ModuleDict({"enc": nn.Linear(8, 4), "dec": nn.Linear(4, 8)})
        self.opts = build_optimizers(self.models, cfg)

    def loss(self, x):
        return nn.functional.mse_loss(self.models["dec"](self.models["enc"](x)), x)

    def apply(self):
        for opt in self.opts.values():
            opt.step()  # expect: TL701

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x in loader:
                self.loss(x).backward()
                self.apply()
