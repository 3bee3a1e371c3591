"""Loaders without workers, by helpers and dictionaries."""

from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __getitem__(self, index):
        return open(self.paths[index], "rb").read()


def make(dataset, batch_size, workers=0):
    return DataLoader(dataset, batch_size, num_workers=workers)  # expect: TL205


def main(paths):
    options = {"batch_size": 8, "shuffle": True}
    return make(Clips(paths), 4), DataLoader(Clips(paths), **options)  # expect: TL205
