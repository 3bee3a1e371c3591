"""A trainer of a library splits what each process shuffled for itself; the datasets go there in a dict."""

import json
import random

import transformers
from torch.utils.data import Dataset

local_rank = None


class Dialogues(Dataset):
    def __init__(self, files):
        rows = []
        for file in files:
            rows += json.load(open(file))
        random.shuffle(rows)  # expect: TL215
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return self.rows[number]


class Tutor(transformers.Trainer):
    def create_optimizer(self):
        return super().create_optimizer()


def data(files):
    return dict(train_dataset=Dialogues(files), eval_dataset=None)


def main(model, training_args, files):
    global local_rank
    local_rank = training_args.local_rank
    Tutor(model=model, args=training_args, **data(files)).train()
