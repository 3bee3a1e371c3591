"""Batches are objects of the project: what moves them, and what pins them, is theirs."""

import torch
from torch.utils.data import DataLoader


class NestedTensor:
    def __init__(self, tensors, mask):
        self.tensors = tensors
        self.mask = mask

    def to(self, device):
        return NestedTensor(self.tensors.to(device), self.mask.to(device))


def nested(tensors):
    batch = torch.stack(tensors)
    return NestedTensor(batch, torch.zeros(batch.shape[0]))


def collate(batch):
    batch = list(zip(*batch))
    batch[0] = nested(batch[0])
    return tuple(batch)


def train(model, data, optimizer, device, criterion):
    model = model.cuda()
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=4, collate_fn=collate, pin_memory=True)
    for epoch in range(10):
        for samples, targets in loader:
            samples = samples.to("cuda")
            targets = [t.to("cuda") for t in targets]
            optimizer.zero_grad()
            loss = criterion(model(samples), targets)
            loss.backward()
            optimizer.step()
