"""Loaders with workers, or with as many as somebody else says."""

from torch.utils.data import DataLoader, Dataset, TensorDataset


class Clips(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __getitem__(self, index):
        return open(self.paths[index], "rb").read()


def make(dataset, batch_size, workers=0, **options):
    return DataLoader(dataset, batch_size, num_workers=workers, **options)


def main(paths, images, config):
    options = {"batch_size": 8, "shuffle": True, **config.loader}
    return [
        make(Clips(paths), 4, workers=2),
        DataLoader(Clips(paths), **options),
        DataLoader(TensorDataset(images), batch_size=64),
        DataLoader(Clips(paths), 1, False, None, None, 4),
    ]
