"""One generator is one mistake, however often it is drawn from (namisan/mt-dnn)."""

import random

from torch.utils.data import DataLoader, Dataset


def masked(tokens, rng):
    rng.shuffle(tokens)
    return [token if rng.random() < 0.8 else "[MASK]" for token in tokens]


class Masked(Dataset):
    def __init__(self, documents, seed):
        self.documents = documents
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.documents)

    def __getitem__(self, index):
        length = self.rng.randint(2, 64)  # expect: TL213
        return masked(self.documents[index][:length], self.rng)


def main(documents):
    return DataLoader(Masked(documents, 1), batch_size=8, num_workers=2)
