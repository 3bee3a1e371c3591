"""No loader of XLA: the batches are put on the device in the loop, under whatever name it is known."""

import torch
import torch_xla
from torch.utils.data import DataLoader, Subset


class Fitting:
    def __init__(self, model, optimizer, images):
        self.device = torch.device("xla:0")
        self.model = model.to(self.device)
        self.optimizer = optimizer
        self.batches = DataLoader(Subset(images, range(1000)), batch_size=48, drop_last=False)  # expect: TL501

    def fit(self):
        for epoch in range(10):
            for x, y in self.batches:
                self.step(x.to(self.device), y.to(self.device))

    def step(self, x, y):
        self.optimizer.zero_grad()
        self.model(x, y).backward()
        self.optimizer.step()


def by_step(model, optimizer, images):
    for x, y in DataLoader(images, batch_size=48, shuffle=True):  # expect: TL501
        with torch_xla.step():
            optimizer.zero_grad()
            model(x, y).backward()
            optimizer.step()
