"""Optimizer steps of trainings that are started on each core: what reduces their gradients, and what starts them alone."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_multiprocessing as xmp
from torch import nn
from torch.utils.data import DataLoader


def plain(index, dataset):
    device = torch_xla.device()
    model = nn.Linear(3, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(dataset, batch_size=8, drop_last=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()  # expect: TL506
        torch_xla.sync()


def alone(index, dataset):
    device = torch_xla.device()
    model = nn.Linear(3, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(dataset, batch_size=8, drop_last=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
        torch_xla.sync()


def debugged(index, dataset):
    device = torch_xla.device()
    model = nn.Linear(3, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(dataset, batch_size=8, drop_last=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
        torch_xla.sync()


def helped(model, optimizer, x, y):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()  # expect: TL506


def by_helper(index, dataset):
    device = torch_xla.device()
    model = nn.Linear(3, 3).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in DataLoader(dataset, batch_size=8, drop_last=True):
        helped(model, optimizer, x.to(device), y.to(device))
        torch_xla.sync()


def never_started(index, dataset):
    device = torch_xla.device()
    model = nn.Linear(3, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(dataset, batch_size=8, drop_last=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
        torch_xla.sync()


def of_somebody(index, dataset, optimizer):
    """Whose optimizer this is nobody sees: it may reduce the gradients itself."""
    device = torch_xla.device()
    model = nn.Linear(3, 3).to(device)
    for x, y in DataLoader(dataset, batch_size=8, drop_last=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
        torch_xla.sync()


def evaluated(index, dataset):
    device = torch_xla.device()
    model = nn.Linear(3, 3).to(device)
    for x, _ in DataLoader(dataset, batch_size=8):
        model(x.to(device))
        torch_xla.sync()


if __name__ == "__main__":
    xmp.spawn(plain, args=(None,))
    xmp.spawn(alone, args=(None,), nprocs=1)
    torch_xla.launch(debugged, args=(None,), debug_single_process=True)
    torch_xla.launch(by_helper, args=(None,))
    xmp.spawn(of_somebody, args=(None, None))
    xmp.spawn(evaluated, args=(None,))
    print(xm.get_ordinal())
