"""Printed, fetched in the module, moved by hand, read by a helper (as pytorch/xla's tests once did, and fairseq's losses)."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.seen = []

    def forward(self, x):
        hidden = self.layer(x)
        self.seen.append(float(hidden.mean()))  # expect: TL504
        return hidden.sum()


class Trainer:
    def __init__(self, model, criterion, loader):
        self.device = xm.xla_device()
        self.model = model.to(self.device)
        self.criterion = criterion
        self.loader = loader
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return {"loss": loss.detach().cpu().numpy()}  # expect: TL504

    def fit(self):
        for x, y in self.loader:
            self.step(x.to(self.device), y.to(self.device))
            torch_xla.sync()


def in_each_step(loader, optimizer):
    device = torch_xla.device()
    model = Counted().to(device)
    for step, x in enumerate(pl.MpDeviceLoader(loader, device)):
        optimizer.zero_grad()
        loss = model(x)
        loss.backward()
        xm.optimizer_step(optimizer)
        xm.master_print(f"{step}: {loss}")  # expect: TL504


def each_prediction(loader, model, device=torch_xla.device()):
    found = []
    for x, _ in pl.ParallelLoader(loader, [device]).per_device_loader(device):
        found.extend(model(x).argmax(-1).tolist())  # expect: TL504
    return found


def moved_to_the_host(loader, model, optimizer):
    losses, norms = [], []
    for x, y in pl.MpDeviceLoader(loader, xm.xla_device()):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        xm.optimizer_step(optimizer)
        losses.append(loss.detach().to("cpu"))  # expect: TL504
        norms.append(loss.detach().to(torch.device("cpu")))
        labels = y.to("cpu")
    return losses, norms, labels
