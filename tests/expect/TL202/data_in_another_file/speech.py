"""Recordings and their loaders."""

import json

from torch.utils.data import DataLoader, Dataset


class Recordings(Dataset):
    def __init__(self, index):
        self.entries = json.load(open(index))

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, number):
        return self.entries[number]["sound"], self.entries[number]["text"]


def loaders(config):
    known, unknown = Recordings(config.index), Recordings(config.other)
    return (
        DataLoader(known, batch_size=config.size, shuffle=True, collate_fn=list),  # expect: TL202
        DataLoader(unknown, batch_size=config.size, collate_fn=list),
    )
