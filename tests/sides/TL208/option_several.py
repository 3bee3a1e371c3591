"""The number of workers is an option of the command line with a default."""

import argparse

from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for line in open(self.path):
            yield line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--path")
    parser.add_argument("--workers", default=4)
    args = parser.parse_args()
    return DataLoader(Lines(args.path), num_workers=args.workers)  # expect: TL208
