"""Loaders with workers, or with options that may be off."""

import functools
import multiprocessing

from torch.utils.data import DataLoader

common = dict(batch_size=16, persistent_workers=True, num_workers=4)


class PatientLoader(DataLoader):
    def __init__(self, dataset, batch_size, workers=4, **options):
        options.setdefault("prefetch_factor", 4 if workers else None)
        super().__init__(dataset, batch_size, num_workers=workers, persistent_workers=workers > 0, **options)


def derived(dataset):
    return PatientLoader(dataset, 8, shuffle=True), PatientLoader(dataset, 8, workers=0)


def partly(dataset):
    make = functools.partial(DataLoader, prefetch_factor=4, num_workers=0)
    return make(dataset, batch_size=2, num_workers=2)


def updated(dataset):
    options = {**common, "num_workers": 0}
    options.update(common)
    return DataLoader(dataset, **options)


def taken_out(dataset):
    options = dict(common, num_workers=0)
    options.pop("persistent_workers")
    return DataLoader(dataset, **options)


def changed_by_somebody(dataset, complete):
    options = {"persistent_workers": True}
    complete(options)
    return DataLoader(dataset, **options)


def context(dataset, workers):
    spawning = multiprocessing.get_context("spawn") if workers > 0 else None
    return DataLoader(dataset, batch_size=8, num_workers=workers, multiprocessing_context=spawning)


def nobody(dataset):
    return context(dataset, 0)


class Data:
    def __init__(self, dataset, config):
        self.dataset = dataset
        self.workers = config.workers
        self.options = dict(config.loader)

    def loader(self):
        return DataLoader(self.dataset, num_workers=self.workers, persistent_workers=True)

    def other(self):
        return DataLoader(self.dataset, persistent_workers=True, **self.options)


def asked(dataset, workers):
    if not workers:
        return DataLoader(dataset)
    return DataLoader(dataset, num_workers=workers, prefetch_factor=8)


def both(dataset):
    return asked(dataset, 0), asked(dataset, 2)
