"""A rank whose batch has no labels skips the step; the others average its next one with theirs."""

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
        if (labels != -100).sum() == 0:
            continue
        loss = torch.nn.functional.cross_entropy(model(inputs), labels)  # stuck: 0
        optimizer.zero_grad()
        loss.backward()  # expect: TL103
        optimizer.step()
    return model.module.weight.tolist()
