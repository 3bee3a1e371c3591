"""The loader of a trainer, with workers by the default of an option."""

import argparse

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def make_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", "--workers", default=4, type=int)
    return parser


class Trainer:
    def __init__(self, model, optimizer, folder, args):
        self.model, self.optimizer = model, optimizer
        self.loader = DataLoader(ImageFolder(folder), 32, True, num_workers=args.workers)  # expect: TL211

    def one_epoch(self):
        for images, labels in self.loader:
            self.optimizer.zero_grad()
            self.model(images, labels).backward()
            self.optimizer.step()

    def fit(self):
        for _ in range(90):
            self.one_epoch()


def main(model, optimizer):
    args = make_parser().parse_args()
    Trainer(model, optimizer, "images", args).fit()
