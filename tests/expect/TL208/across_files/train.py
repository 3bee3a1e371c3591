"""Packed text, as huggingface/trl packs it (ConstantLengthDataset), from a file; the loader comes from a helper."""

from torch.utils.data import DataLoader

from reading import Corpus


def make_loader(dataset, batch_size, **options):
    options = {"num_workers": 4, **options}
    return DataLoader(dataset, batch_size=batch_size, **options)  # expect: TL208


def train(model, optimizer, path, length):
    for tokens in make_loader(Corpus(path, length), 8):
        optimizer.zero_grad()
        model(tokens).loss.backward()
        optimizer.step()
