"""A scheduler at the top level of a file that trains nothing: another file may take it. And one whose optimizer nobody steps."""

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, StepLR
from trainers import Searcher, Trainer

model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = CosineAnnealingLR(optimizer, 50)  # expect-likely: TL710
searcher = Searcher(model=model, optimizer=optimizer)


def sensitivity(network, batch):
    network(batch).sum().backward()
    return [parameter.grad.abs().mean() for parameter in network.parameters()]


def finetune(data):
    network = torch.nn.Linear(8, 2)
    adam = torch.optim.Adam(network.parameters())
    steps = StepLR(adam, step_size=1)  # expect-likely: TL710
    Trainer(epochs=3).fit(network, data)
    return network
