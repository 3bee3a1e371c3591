"""A generator that a dataclass makes in ``__post_init__``."""

from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


@dataclass
class RandomCrop:
    size: int
    seed: int = 0

    def __post_init__(self):
        self.calls = 0

    def __call__(self, img):
        rng = np.random
        top = int(rng.uniform(0, img.shape[0] - self.size))
        return img[top : top + self.size]


class Compose:
    def __init__(self, fns):
        self.fns = fns

    def __call__(self, x):
        for f in self.fns:
            x = f(x)
        return x


class Crops(Dataset):
    def __init__(self, images, transform):
        self.images = images
        self.transform = transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.transform(self.images[i])


def train(images, model, opt):
    ds = Crops(images, Compose([RandomCrop(32), torch.from_numpy]))
    loader = DataLoader(ds, batch_size=8, num_workers=4, shuffle=True)
    for epoch in range(5):
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
