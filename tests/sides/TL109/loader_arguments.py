"""Loaders over a rank's part: given by name, by position, in a dictionary, with samplers of all kinds."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler, DataLoader, Dataset, DistributedSampler, IterableDataset, RandomSampler
from torch.utils.data import SequentialSampler, Subset, TensorDataset, WeightedRandomSampler


def every_nth(data):
    return Subset(data, range(dist.get_rank(), len(data), dist.get_world_size()))


def by_position(data, out):
    for batch in DataLoader(every_nth(data), 8, True):  # expect: TL109
        dist.all_gather_object(out, batch)


def by_name(data, out):
    for batch in DataLoader(batch_size=8, dataset=every_nth(data)):  # expect: TL109
        dist.all_gather_object(out, batch)


def with_keywords_of_another_place(data, out, options):
    for batch in DataLoader(every_nth(data), **options):
        dist.all_gather_object(out, batch)


def with_keywords_in_a_dictionary(data, out):
    options = {"batch_size": 8, "num_workers": 2}
    for batch in DataLoader(every_nth(data), **options):  # expect: TL109
        dist.all_gather_object(out, batch)


def with_dropping_in_a_dictionary(data, out):
    options = {"batch_size": 8, "drop_last": True}
    for batch in DataLoader(every_nth(data), **options):
        dist.all_gather_object(out, batch)


def with_one_of_two_dictionaries(data, out, fast):
    options = {"batch_size": 8} if fast else {"batch_size": 4, "num_workers": 2}
    for batch in DataLoader(every_nth(data), **options):
        dist.all_gather_object(out, batch)


def with_computed_names(data, out, name):
    options = {name: 8}
    for batch in DataLoader(every_nth(data), **options):
        dist.all_gather_object(out, batch)


def dropping_as_told(data, out, drop):
    for batch in DataLoader(every_nth(data), 8, drop_last=drop):
        dist.all_gather_object(out, batch)


def not_dropping(data, out):
    for batch in DataLoader(every_nth(data), 8, drop_last=False):  # expect: TL109
        dist.all_gather_object(out, batch)


def with_a_sampler_of_none(data, out):
    for batch in DataLoader(every_nth(data), 8, sampler=None):  # expect: TL109
        dist.all_gather_object(out, batch)


def with_the_sampler_of_torch(data, out):
    for batch in DataLoader(data, 8, sampler=DistributedSampler(data)):
        dist.all_gather_object(out, batch)


def with_one_sampler_too_many(data, out):
    mine = every_nth(data)
    for batch in DataLoader(mine, 8, sampler=SequentialSampler(mine)):  # expect: TL109
        dist.all_gather_object(out, batch)


def drawing_from_a_part(data, out):
    mine = every_nth(data)
    for batch in DataLoader(mine, 8, sampler=RandomSampler(mine)):  # expect: TL109
        dist.all_gather_object(out, batch)


def drawing_so_many_from_a_part(data, out):
    mine = every_nth(data)
    for batch in DataLoader(mine, 8, sampler=RandomSampler(mine, num_samples=1000)):
        dist.all_gather_object(out, batch)


def drawing_none_in_particular(data, out):
    mine = every_nth(data)
    for batch in DataLoader(mine, 8, sampler=RandomSampler(mine, True, None)):  # expect: TL109
        dist.all_gather_object(out, batch)


def drawing_with_weights(data, out, weights):
    mine = weights[dist.get_rank() :: dist.get_world_size()]
    for batch in DataLoader(data, 8, sampler=WeightedRandomSampler(mine, len(mine))):  # expect: TL109
        dist.all_gather_object(out, batch)


def drawing_equally_many_with_weights(data, out, weights):
    mine = weights[dist.get_rank() :: dist.get_world_size()]
    for batch in DataLoader(data, 8, sampler=WeightedRandomSampler(mine, len(weights) // dist.get_world_size())):
        dist.all_gather_object(out, batch)


def in_batches(data, out):
    mine = range(dist.get_rank(), len(data), dist.get_world_size())
    for batch in DataLoader(data, batch_sampler=BatchSampler(mine, batch_size=8, drop_last=False)):  # expect: TL109
        dist.all_gather_object(out, batch)


def in_whole_batches(data, out):
    mine = range(dist.get_rank(), len(data), dist.get_world_size())
    for batch in DataLoader(data, batch_sampler=BatchSampler(mine, batch_size=8, drop_last=True)):
        dist.all_gather_object(out, batch)


def in_batches_whole_or_not(data, out, whole):
    mine = range(dist.get_rank(), len(data), dist.get_world_size())
    for batch in DataLoader(data, batch_sampler=BatchSampler(mine, 8, whole)):
        dist.all_gather_object(out, batch)


def of_tensors(x, y, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    for batch in DataLoader(TensorDataset(x[rank::world], y[rank::world]), batch_size=8):  # expect: TL109
        dist.all_gather_object(out, batch)


def of_all_tensors(x, y, out):
    for batch in DataLoader(TensorDataset(x, y), batch_size=8):
        dist.all_gather_object(out, batch)


class Table(Dataset):
    def __init__(self, rows):
        self.rows = rows[dist.get_rank() :: dist.get_world_size()]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return self.rows[number]


class Shortened(Table):
    """Says that it has what each rank has."""

    def __init__(self, rows):
        super().__init__(rows)
        self.each = len(rows) // dist.get_world_size()

    def __len__(self):
        return self.each


class Unfinished(Dataset):
    def __init__(self, rows):
        self.rows = rows[dist.get_rank() :: dist.get_world_size()]

    def __len__(self):
        raise NotImplementedError

    def __getitem__(self, number):
        return self.rows[number]


class Unmeasured(Dataset):
    def __init__(self, rows):
        self.rows = rows[dist.get_rank() :: dist.get_world_size()]

    def __getitem__(self, number):
        return self.rows[number]


class Itself(IterableDataset):
    def __init__(self, rows):
        self.rows = iter(rows[dist.get_rank() :: dist.get_world_size()])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.rows)


class Rows(IterableDataset):
    def __init__(self, rows):
        self.rows = rows[dist.get_rank() :: dist.get_world_size()]

    def __iter__(self):
        return iter(self.rows)


class Shuffled(DistributedSampler):
    """Torch's sampler, with another order."""

    def order(self):
        return torch.randperm(len(self.dataset))


class Drawn(RandomSampler):
    """Torch's sampler, with a rank."""

    def __init__(self, data, rank):
        super().__init__(data)
        self.rank = rank


def with_table(rows, out):
    for batch in DataLoader(Table(rows), batch_size=8):  # expect: TL109
        dist.all_gather_object(out, batch)


def with_shortened(rows, out):
    for batch in DataLoader(Shortened(rows), batch_size=8):
        dist.all_gather_object(out, batch)


def with_unfinished(rows, out):
    for batch in DataLoader(Unfinished(rows), batch_size=8):
        dist.all_gather_object(out, batch)


def with_unmeasured(rows, out):
    for batch in DataLoader(Unmeasured(rows), batch_size=8):
        dist.all_gather_object(out, batch)


def with_itself(rows, out):
    for batch in DataLoader(Itself(rows), batch_size=8):
        dist.all_gather_object(out, batch)


def with_rows(rows, out):
    for batch in DataLoader(Rows(rows), batch_size=8):  # expect: TL109
        dist.all_gather_object(out, batch)


def with_shuffled(data, out):
    for batch in DataLoader(data, 8, sampler=Shuffled(data)):
        dist.all_gather_object(out, batch)


def with_drawn(data, out):
    for batch in DataLoader(data, 8, sampler=Drawn(data, dist.get_rank())):
        dist.all_gather_object(out, batch)


def trained(net, data):
    model = DistributedDataParallel(net)
    for x in DataLoader(every_nth(data), 8):  # expect: TL109
        model(x).sum().backward()
