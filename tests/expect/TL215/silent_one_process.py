"""Nothing here knows of ranks, and nothing splits: a trainer on one device, loaders without a sampler."""

import random

import transformers
from torch.utils.data import DataLoader, Dataset, random_split


class Dialogues(Dataset):
    def __init__(self, rows):
        self.rows = rows
        random.shuffle(self.rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return self.rows[number]


def trained(model, training_args, rows):
    transformers.Trainer(model=model, args=training_args, train_dataset=Dialogues(rows)).train()


def loaders(rows):
    known, held_out = random_split(Dialogues(rows), [0.9, 0.1])
    return DataLoader(known, batch_size=8, shuffle=True), DataLoader(held_out, batch_size=8)
