"""Samplers, batch samplers and iterable datasets beside the options that they decide."""

from torch.utils.data import BatchSampler, DataLoader, IterableDataset, RandomSampler, SequentialSampler
from torchdata.datapipes.iter import IterableWrapper


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as lines:
            yield from lines


class Pairs:
    def __init__(self, pairs):
        self.pairs = pairs

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, index):
        return self.pairs[index]


def sampler_and_shuffle(dataset):
    return DataLoader(dataset, shuffle=True, sampler=RandomSampler(dataset))  # expect: TL203


def sampler_and_no_shuffle(dataset):
    return DataLoader(dataset, shuffle=False, sampler=RandomSampler(dataset))


def no_sampler(dataset):
    return DataLoader(dataset, shuffle=True, sampler=None)


def sampler_by_position(dataset):
    return DataLoader(dataset, 4, True, RandomSampler(dataset))  # expect: TL203


def list_as_sampler(dataset):
    return DataLoader(dataset, shuffle=True, sampler=[3, 1, 2])  # expect: TL203


def range_as_sampler(dataset, indices):
    return DataLoader(dataset, shuffle=True, sampler=indices)


def made_out_of_sight(dataset, registry):
    return DataLoader(dataset, shuffle=True, sampler=registry.build(dataset))


def sampler_in_some_runs(dataset, ordered):
    sampler = SequentialSampler(dataset) if ordered else None
    return DataLoader(dataset, shuffle=True, sampler=sampler)  # expect: TL203


def sampler_or_something(dataset, ordered, other):
    sampler = SequentialSampler(dataset) if ordered else other
    return DataLoader(dataset, shuffle=True, sampler=sampler)


def sampler_or_zero(dataset, ordered):
    sampler = SequentialSampler(dataset) if ordered else 0
    return DataLoader(dataset, shuffle=True, sampler=sampler)  # expect: TL203


def sampler_in_some_runs_without_a_name(dataset, ordered):
    return DataLoader(dataset, shuffle=True, sampler=SequentialSampler(dataset) if ordered else None)  # expect: TL203


def shuffle_in_a_name(dataset):
    shuffle = True
    return DataLoader(dataset, shuffle=shuffle, sampler=SequentialSampler(dataset))  # expect: TL203


def shuffle_in_a_dict(dataset):
    options = {"shuffle": True, "batch_size": 3}
    return DataLoader(dataset, sampler=SequentialSampler(dataset), **options)  # expect: TL203


def batches_and_size(dataset):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, batch_size=4, batch_sampler=batches)  # expect: TL203


def batches_and_size_of_one(dataset):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, batch_size=1, batch_sampler=batches)


def batches_and_unknown_size(dataset, size):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, batch_size=size, batch_sampler=batches)


def batches_and_shuffle(dataset):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, shuffle=True, batch_sampler=batches)  # expect: TL203


def batches_and_no_shuffle(dataset):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, shuffle=False, batch_sampler=batches)


def batches_and_sampler(dataset):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, sampler=SequentialSampler(dataset), batch_sampler=batches)  # expect: TL203


def batches_and_drop_last(dataset):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, drop_last=True, batch_sampler=batches)  # expect: TL203


def batches_and_no_drop(dataset):
    batches = BatchSampler(SequentialSampler(dataset), 4, False)
    return DataLoader(dataset, drop_last=False, batch_sampler=batches)


def batches_in_some_runs(dataset, own):
    batches = BatchSampler(SequentialSampler(dataset), 4, False) if own else None
    return DataLoader(dataset, batch_size=4, batch_sampler=batches)  # expect: TL203


def batches_in_some_runs_and_tested(dataset, own):
    batches = BatchSampler(SequentialSampler(dataset), 4, False) if own else None
    if own:
        return DataLoader(dataset, batch_size=4, batch_sampler=batches)
    return None


def batches_in_a_dict(dataset):
    options = {"batch_size": 4}
    return DataLoader(dataset, batch_sampler=BatchSampler(SequentialSampler(dataset), 4, False), **options)  # expect: TL203


def stream_and_shuffle(path):
    return DataLoader(Lines(path), shuffle=True)  # expect: TL203


def stream_and_sampler(path):
    return DataLoader(Lines(path), sampler=[1, 2])  # expect: TL203


def stream_and_both(path):
    return DataLoader(Lines(path), shuffle=True, sampler=[1, 2])  # expect: TL203


def stream_and_shuffle_by_position(path):
    return DataLoader(Lines(path), 4, True)  # expect: TL203


def stream_and_nothing(path):
    return DataLoader(Lines(path), batch_size=3, drop_last=True)


def stream_perhaps_shuffled(path, args):
    return DataLoader(Lines(path), shuffle=args.shuffle)


def stream_or_pairs(path, pairs, streamed):
    return DataLoader(Lines(path) if streamed else Pairs(pairs), shuffle=True)


def pairs_and_shuffle(pairs):
    return DataLoader(Pairs(pairs), shuffle=True)


def pipe_and_shuffle(numbers):
    return DataLoader(IterableWrapper(numbers), shuffle=True)
