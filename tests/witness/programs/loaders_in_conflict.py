"""Loaders that are given what they cannot have: each function makes one over eight numbers."""

from torch.utils.data import BatchSampler, DataLoader, IterableDataset, RandomSampler

NUMBERS = list(range(8))


class Stream(IterableDataset):
    def __iter__(self):
        return iter(NUMBERS)


def kept_workers():
    return DataLoader(NUMBERS, batch_size=2, persistent_workers=True)  # expect: TL207


def fetched_ahead():
    return DataLoader(NUMBERS, batch_size=2, num_workers=0, prefetch_factor=2)  # expect: TL207


def context():
    return DataLoader(NUMBERS, batch_size=2, multiprocessing_context="fork")  # expect: TL207


def in_time():
    return DataLoader(NUMBERS, batch_size=2, timeout=60)  # expect: TL207


def shuffled_twice():
    return DataLoader(NUMBERS, batch_size=2, sampler=RandomSampler(NUMBERS), shuffle=True)  # expect: TL203


def batched_twice():
    batches = BatchSampler(RandomSampler(NUMBERS), 2, drop_last=True)
    return DataLoader(NUMBERS, batch_sampler=batches, batch_size=2)  # expect: TL203


def dropped_twice():
    batches = BatchSampler(RandomSampler(NUMBERS), 2, drop_last=True)
    return DataLoader(NUMBERS, batch_sampler=batches, drop_last=True)  # expect: TL203


def shuffled_stream():
    return DataLoader(Stream(), batch_size=2, shuffle=True)  # expect: TL203


def right():
    return DataLoader(NUMBERS, batch_size=2, sampler=RandomSampler(NUMBERS), prefetch_factor=None, timeout=0)
