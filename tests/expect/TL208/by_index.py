"""Another dataset read from first to last, as in NVIDIA/Megatron-LM (tools/bert_embedding)."""

import os

import torch
from torch.utils.data import DataLoader


class Texts(torch.utils.data.IterableDataset):
    def __init__(self, texts):
        self.texts = texts

    def __iter__(self):
        for index in range(len(self.texts)):
            sample = self.texts[index]
            yield sample["text"].replace("<|end|>", "")


def embed(model, texts):
    loader = DataLoader(Texts(texts), batch_size=8, num_workers=min(4, os.cpu_count()))  # expect: TL208
    return [model(batch) for batch in loader]
