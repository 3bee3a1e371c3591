"""What says XLA is how the training is started."""

import torch
import torch_xla
from torch.utils.data import DataLoader


def fit(model, optimizer, loader):
    model.train()
    for x, y in loader:
        loss = model(x, y)
        loss.backward()
        optimizer.step()  # expect: TL505
        optimizer.zero_grad()


def worker(index, model, images):
    loader = DataLoader(images, batch_size=8 if torch_xla.device() else 4)  # expect: TL501
    fit(model, torch.optim.Adam(model.parameters()), loader)


def start(model, images):
    torch_xla.launch(worker, args=(model, images))
