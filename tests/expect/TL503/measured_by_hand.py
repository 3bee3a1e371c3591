"""Collate functions that find the longest item themselves, and make each batch as long as that."""

import math

import numpy as np
import torch
import torch_xla.core.xla_model as xm
from torch.utils.data import DataLoader


def filled(batch):
    longest = max(len(row) for row, _ in batch)  # expect: TL503
    rows = torch.zeros(len(batch), longest, dtype=torch.long)
    for place, (row, _) in enumerate(batch):
        rows[place, : len(row)] = row
    return rows, torch.tensor([label for _, label in batch])


def repeated(batch):
    lengths = [len(item["ids"]) for item in batch]
    longest = max(lengths)  # expect: TL503
    ids = [item["ids"] + [0] * (longest - len(item["ids"])) for item in batch]
    return {"ids": torch.tensor(ids), "labels": torch.tensor([item["label"] for item in batch])}


class Collator:
    def __init__(self, pad):
        self.pad = pad

    def __call__(self, batch):
        longest = max([row.shape[0] for row in batch])  # expect: TL503
        rows = np.full((len(batch), longest + 1), self.pad)
        for place, row in enumerate(batch):
            rows[place, : len(row)] = row
        return torch.from_numpy(rows)


def rounded(batch):
    longest = max(len(row) for row in batch)
    longest = math.ceil(longest / 64) * 64
    return torch.zeros(len(batch), longest)


def rounded_without_a_library(batch):
    longest = max(len(row) for row in batch)
    longest = (longest + 63) // 64 * 64
    return torch.zeros(len(batch), longest)


def bounded(batch, most=512):
    longest = max(len(row) for row in batch)
    rows = torch.zeros(len(batch), max(longest, most))
    return rows[:, :most]


def fixed(batch, size=128):
    assert max(len(row) for row in batch) <= size
    return torch.tensor([row + [0] * (size - len(row)) for row in batch])


def largest_label(batch):
    classes = max(label for _, label in batch)
    rows = torch.stack([row for row, _ in batch])
    return rows, torch.zeros(len(batch), classes)


def asked_first(batch):
    longest = max(len(row) for row in batch)
    if xm.xla_device_hw(xm.xla_device()) == "TPU":
        longest = 256
    return torch.zeros(len(batch), longest)


def train(data, model, collate):
    device = xm.xla_device()
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=8, shuffle=True, drop_last=True, collate_fn=collate)
    for batch in loader:
        loss = model(batch)
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)


def main(data, model):
    train(data, model, filled)
    train(data, model, repeated)
    train(data, model, Collator(0))
    train(data, model, rounded)
    train(data, model, rounded_without_a_library)
    train(data, model, bounded)
    train(data, model, fixed)


def train_again(data, model, collate):
    device = xm.xla_device()
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in DataLoader(data, batch_size=8, shuffle=True, drop_last=True, collate_fn=collate):
        loss = model(batch)
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)


def others(data, model):
    train_again(data, model, largest_label)
    train_again(data, model, asked_first)
