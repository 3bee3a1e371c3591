"""One rank's share of sixteen samples, in the order of each epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(rank, ranks, epochs):
    numbers = list(range(16))
    sampler = DistributedSampler(numbers, num_replicas=ranks, rank=rank)
    loader = DataLoader(numbers, batch_size=2, sampler=sampler)
    layer = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=1e-4)
    orders = []
    for epoch in range(epochs):  # expect: TL201
        order = []
        for batch in loader:
            loss = layer(batch.float()[:, None]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            order.extend(batch.tolist())
        orders.append(order)
    return orders
