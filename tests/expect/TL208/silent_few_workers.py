"""One worker, none, or nobody knows how many; and datasets that are read by index."""

from torch.utils.data import DataLoader, Dataset, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as lines:
            yield from lines


class Indexed(Dataset):
    def __init__(self, path):
        self.lines = open(path).readlines()

    def __getitem__(self, index):
        return self.lines[index]

    def __len__(self):
        return len(self.lines)

    def __iter__(self):
        return iter(self.lines)


def loaders(path, args, workers):
    return [
        DataLoader(Lines(path)),
        DataLoader(Lines(path), num_workers=0),
        DataLoader(Lines(path), num_workers=1),
        DataLoader(Lines(path), num_workers=args.workers),
        DataLoader(Lines(path), num_workers=workers),
        DataLoader(Indexed(path), num_workers=8),
        DataLoader(Lines(path) if args.stream else Indexed(path), num_workers=8),
    ]
