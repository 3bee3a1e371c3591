"""Transforms and collate objects of another file."""

import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, Subset

from transforms import Mixer, jitter


class Images(Dataset):
    def __init__(self, images, rng=None):
        self.images = images
        self.rng = rng or np.random.default_rng()
        self.torch_rng = torch.Generator()

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = jitter(self.images[index], self.rng)
        return image * torch.rand(1, generator=self.torch_rng)  # expect: TL213


def main(images):
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", default=4, type=int)
    args = parser.parse_args()
    training = Subset(Images(images), range(100))
    return DataLoader(training, batch_size=8, num_workers=args.workers, collate_fn=Mixer())
