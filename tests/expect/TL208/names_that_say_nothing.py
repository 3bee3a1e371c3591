"""Ranks, workers and shards in names, and each worker reads it all the same."""

from torch.utils.data import DataLoader, IterableDataset


class Ranked(IterableDataset):
    """Sentences with the rank of each of their words."""

    def __init__(self, path, rank_column=1, worker_threads=4):
        self.path, self.rank_column, self.worker_threads = path, rank_column, worker_threads

    def __iter__(self):
        for line in open(self.path):
            yield line.split()[self.rank_column]


class WorldNews(IterableDataset):
    def __init__(self, shards):
        self.shards = shards

    def of_one(self, shard):
        yield from open(shard)

    def __iter__(self):
        for shard in sorted(self.shards):
            yield from self.of_one(shard)


def loaders(path, shards):
    yield DataLoader(Ranked(path), num_workers=4)  # expect: TL208
    yield DataLoader(WorldNews(shards), num_workers=4)  # expect: TL208
