"""Nothing ends a step, so that all of them become one program, which is compiled when somebody asks."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.utils.data import DataLoader


def train(steps):
    device = torch_xla.device()
    loader = DataLoader(torch.ones(4 * steps, 4), batch_size=4, drop_last=True)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x.to(device)).square().mean().backward()
        xm.optimizer_step(optimizer)  # expect: TL505
    return model
