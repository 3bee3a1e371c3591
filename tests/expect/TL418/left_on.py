"""Anomaly detection in every run: in main, in a constructor, around a step, imported by its own name, in the options of a trainer."""

import pytorch_lightning as pl
import torch
from torch import autograd
from torch.autograd import detect_anomaly, set_detect_anomaly


class Trainer:
    def __init__(self, model):
        self.model = model
        autograd.set_detect_anomaly(mode=True)  # expect: TL418

    def step(self, batch):
        with detect_anomaly(check_nan=False):  # expect: TL418
            self.model(batch).sum().backward()


def seed_everything(seed):
    torch.manual_seed(seed)
    set_detect_anomaly(True, check_nan=True)  # expect: TL418


def fit(model, data, limits):
    trainer = pl.Trainer(**limits, detect_anomaly=True)  # expect: TL418
    trainer.fit(model, data)


def main(model, data, args):
    if args.show_config:
        print(args)
        return
    seed_everything(args.seed)
    if args.compile:
        model = torch.compile(model)
    torch.autograd.set_detect_anomaly(True)  # expect: TL418
    Trainer(model).step(next(iter(data)))


if __name__ == "__main__":
    main(torch.nn.Identity(), [], None)
