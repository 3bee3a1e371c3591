"""An object of the project that a loop is given and calls: it scales, steps, and never updates."""

import torch
from torch import nn


class NativeScaler:
    def __init__(self):
        self._scaler = torch.cuda.amp.GradScaler()

    def __call__(self, loss, optimizer, parameters=None, clip_grad=None):
        self._scaler.scale(loss).backward()
        if clip_grad is not None:
            self._scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)  # expect: TL404

    def state_dict(self):
        return self._scaler.state_dict()


def train_one_epoch(model, loader, optimizer, loss_scaler, args):
    for samples, targets in loader:
        with torch.cuda.amp.autocast():
            loss = nn.functional.cross_entropy(model(samples), targets)
        optimizer.zero_grad()
        loss_scaler(loss, optimizer, parameters=model.parameters(), clip_grad=args.clip)


def main(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    loss_scaler = NativeScaler()
    for epoch in range(args.epochs):
        train_one_epoch(model, loader, optimizer, loss_scaler, args)
