"""Options of workers that come in other ways than by a keyword of the call."""

import functools
import multiprocessing

from torch.utils.data import DataLoader
from torchdata.stateful_dataloader import StatefulDataLoader

common = dict(batch_size=16, pin_memory=True)


class PatientLoader(DataLoader):
    def __init__(self, dataset, batch_size, **options):
        super().__init__(dataset, batch_size, persistent_workers=True, **options)  # expect: TL207


def derived(dataset):
    return PatientLoader(dataset, 8, shuffle=True)


def partly(dataset):
    make = functools.partial(DataLoader, prefetch_factor=4, num_workers=0)
    return make(dataset, batch_size=2)  # expect: TL207


def updated(dataset):
    options = {**common, "num_workers": 4}
    options.update(num_workers=0)
    options["persistent_workers"] = True
    return DataLoader(dataset, **options)  # expect: TL207


def by_position(dataset):
    return DataLoader(dataset, 32, True, None, None, 0, None, True, timeout=30)  # expect: TL207


def context(dataset):
    spawning = multiprocessing.get_context("spawn")
    return StatefulDataLoader(dataset, batch_size=8, multiprocessing_context="spawn"), spawning  # expect: TL207


class Data:
    def __init__(self, dataset, workers):
        self.dataset = dataset
        self.workers = workers

    def loader(self):
        return DataLoader(self.dataset, num_workers=self.workers, persistent_workers=True)  # expect: TL207


def main(dataset):
    return Data(dataset, 0).loader()
