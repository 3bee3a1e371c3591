"""Loaders of the project."""

from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def build(dataset, batch, training):
    """A loader; shuffled for training, in order otherwise."""
    sampler = DistributedSampler(dataset, shuffle=training)
    return DataLoader(dataset, batch_size=batch, sampler=sampler, drop_last=training)


def build_both(train_set, eval_set, batch):
    """Loaders for training and evaluation."""
    return {"train": build(train_set, batch, True), "eval": build(eval_set, 2 * batch, False)}
