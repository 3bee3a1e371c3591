"""A loader in sight on launched processes; a step function; accumulation; a device by its name."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_multiprocessing as xmp
from torch.utils.data import DataLoader


def step_once(model, optimizer, x, device):
    optimizer.zero_grad()
    model(x.to(device)).sum().backward()
    xm.optimizer_step(optimizer, barrier=False)  # expect: TL505


def work(index, dataset, model):
    device = xm.xla_device()
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in DataLoader(dataset, batch_size=8, drop_last=True):
        step_once(model, optimizer, x, device)


def accumulated(model, loader, every):
    device = torch.device("xla:0")
    model = model.to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for index, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x.to(device)), y.to(device)) / every
        loss.backward()
        if (index + 1) % every == 0:
            optimizer.step()  # expect: TL505
            optimizer.zero_grad()


if __name__ == "__main__":
    xmp.spawn(work, args=(list(range(64)), torch.nn.Linear(1, 1)))
