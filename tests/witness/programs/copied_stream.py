"""An iterable dataset of eight numbers: each worker of a loader reads all of them, unless it asks which one it is."""

from torch.utils.data import DataLoader, IterableDataset, get_worker_info

NUMBERS = list(range(8))


class Whole(IterableDataset):
    def __iter__(self):
        return iter(NUMBERS)


class Divided(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        return iter(NUMBERS if info is None else NUMBERS[info.id :: info.num_workers])


def whole_by_three():
    return DataLoader(Whole(), batch_size=2, num_workers=3)  # expect: TL208


def whole_by_one():
    return DataLoader(Whole(), batch_size=2, num_workers=1)


def whole_by_none():
    return DataLoader(Whole(), batch_size=2)


def divided_by_three():
    return DataLoader(Divided(), batch_size=2, num_workers=3)
