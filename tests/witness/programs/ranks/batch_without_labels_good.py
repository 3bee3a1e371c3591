"""A batch without labels has a loss of nought."""

import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

INPUTS = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
LABELS = torch.tensor([1, 1, 0, -100])


def main():
    data = TensorDataset(INPUTS, LABELS)
    loader = DataLoader(data, batch_size=1, sampler=DistributedSampler(data, shuffle=False))
    model = DistributedDataParallel(torch.nn.Linear(1, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, labels in loader:
        loss = torch.nn.functional.cross_entropy(model(inputs), labels, reduction="sum")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.module.weight.tolist()
