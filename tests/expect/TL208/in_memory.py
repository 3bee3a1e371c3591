"""Lists and dataframes, as in CompVis/latent-diffusion (Txt2ImgIterableBaseDataset) and speechbrain (wham_prepare)."""

import glob
from dataclasses import dataclass

import numpy as np
import pandas as pd
from torch.utils.data import DataLoader, IterableDataset


class Base(IterableDataset):
    def __init__(self, samples: list):
        super().__init__()
        self.samples = samples

    def __len__(self):
        return len(self.samples)

    def __iter__(self):
        return iter(self.samples)


class Recordings(Base):
    def __init__(self, folder):
        super().__init__(sorted(glob.glob(f"{folder}/*.wav")))


class Table(IterableDataset):
    def __init__(self, path):
        self.frame = pd.read_csv(path)

    def rows(self):
        for index, row in self.frame.iterrows():
            yield row["x"], row["y"]

    def __iter__(self):
        return self.rows()


class Arrays(IterableDataset):
    def __init__(self, path):
        self.array = np.load(path)

    def __iter__(self):
        yield from map(self.scale, self.array)

    def scale(self, row):
        return row / 255


@dataclass
class Config:
    folder: str
    workers: int = 4


def loaders(captions, path):
    config = Config("clips")
    first = DataLoader(Base(captions), batch_size=4, num_workers=2, persistent_workers=True)  # expect: TL208
    second = DataLoader(Recordings(config.folder), batch_size=4, num_workers=config.workers)  # expect: TL208
    third = DataLoader(Table(path), batch_size=None, num_workers=8)  # expect: TL208
    fourth = DataLoader(Arrays(path), num_workers=3)  # expect: TL208
    return first, second, third, fourth
