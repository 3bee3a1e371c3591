"""Losses of the project that are moved to a device where they are made: they are given logits."""

import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, 1)

    def forward(self, frames, lengths=None):
        hidden, _ = self.rnn(frames)
        return self.head(hidden).squeeze(-1)


class Masked(nn.Module):
    def __init__(self, weight=None):
        super().__init__()
        self.bce = nn.BCEWithLogitsLoss(reduction="none", pos_weight=weight)

    def forward(self, pred, target, lengths):
        mask = torch.arange(pred.size(1), device=pred.device)[None, :] < lengths[:, None]
        loss = self.bce(pred, target) * mask
        return loss.sum() / mask.sum().clamp(min=1)


class Plain(nn.Module):
    def forward(self, pred, target):
        return nn.functional.binary_cross_entropy_with_logits(pred, target)


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 1), nn.Identity())

    def forward(self, x):
        return self.layers(x)


def run_epoch(model, loader, criterion, optimizer):
    for frames, labels, lengths in loader:
        loss = criterion(model(frames, lengths), labels, lengths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(loader, device):
    model = Detector(40).to(device)
    criterion = Masked().to(device)
    run_epoch(model, loader, criterion, torch.optim.Adam(model.parameters()))


def gates(loader):
    gate, criterion = Gate().cuda().train(), Plain().cuda()
    optimizer = torch.optim.Adam(gate.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(gate(x), y).backward()
        optimizer.step()
