"""Loaders that a framework trains on: it is handed them, or a method returns them to it."""

import lightning as L
import lightning.pytorch as pl
from torch.utils.data import DataLoader, IterableDataset


class Data(pl.LightningDataModule):
    def __init__(self, batch_size, workers):
        super().__init__()
        self.batch_size = batch_size
        self.workers = workers

    def setup(self, stage):
        self.train_dataset = make("train")
        self.val_dataset = make("val")

    def train_dataloader(self):
        loader = DataLoader(self.train_dataset, batch_size=self.batch_size, num_workers=self.workers)  # expect: TL216
        return loader

    def val_dataloader(self):
        return DataLoader(self.val_dataset, batch_size=self.batch_size, num_workers=self.workers)


def main(model, train, val):
    loader = DataLoader(train, batch_size=8)  # expect: TL216
    held = DataLoader(val, batch_size=8)
    trainer = L.Trainer(max_epochs=10)
    trainer.fit(model, loader, held)


class Streaming(pl.LightningDataModule):
    def __init__(self, paths, sampler):
        super().__init__()
        self.paths = paths
        self.sampler = sampler

    def train_dataloader(self):
        if self.sampler is not None:
            return DataLoader(make("train"), batch_size=8, sampler=self.sampler)
        return DataLoader(Lines(self.paths), batch_size=8)


class Lines(IterableDataset):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        for path in self.paths:
            yield from open(path)


class Unasked:
    """No framework calls this one."""

    def train_dataloader(self):
        return DataLoader(make("train"), batch_size=8)
