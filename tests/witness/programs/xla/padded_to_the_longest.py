"""Each batch is as long as its longest item, so that each is another program."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def together(items):
    return pad_sequence(items, batch_first=True)  # expect: TL503


def train(steps):
    device = torch_xla.device()
    data = [torch.ones(1 + k, 4) for k in range(2 * steps)]
    loader = pl.MpDeviceLoader(DataLoader(data, batch_size=2, shuffle=False, drop_last=True, collate_fn=together), device)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
