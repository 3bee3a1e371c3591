"""Which generator shuffles, and how it begins on each rank."""

import random

import numpy as np
import torch
import torch.distributed as dist
from sklearn.model_selection import train_test_split
from torch.utils.data import DistributedSampler, random_split


def of_the_process(files):
    random.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_without_a_seed(files):
    random.Random().shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_with_none(files):
    random.Random(None).shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_with_a_seed(files):
    random.Random(42).shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_with_the_rank(files):
    random.Random(dist.get_rank()).shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_with_an_argument(files, seed):
    random.Random(seed).shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_with_an_item_of_the_rank(files, numbers):
    random.Random(numbers[dist.get_rank()]).shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_with_an_item_for_all(files, numbers):
    random.Random(numbers[0]).shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_with_what_is_unknown(files, parts):
    random.Random("-".join(parts)).shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_that_is_seeded_later(files):
    draw = random.Random()
    draw.seed(42)
    draw.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_that_is_seeded_later_by_the_rank(files):
    draw = random.Random()
    draw.seed(dist.get_rank())
    draw.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_its_own_while_another_is_seeded(files):
    draw, other = random.Random(), random.Random()
    other.seed(42)
    draw.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_numpy_without_a_seed(files):
    np.random.default_rng().shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_numpy_with_a_seed(files):
    np.random.default_rng(seed=42).shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def of_numpy_with_the_rank(files):
    np.random.default_rng(seed=dist.get_rank()).shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_numpy_with_a_seed_of_none(files):
    np.random.default_rng(seed=None).shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def of_numpys_old_state(files):
    np.random.RandomState(42).shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def of_torch_with_a_seed(count):
    order = torch.randperm(count, generator=torch.Generator().manual_seed(42))
    return order[dist.get_rank() :: dist.get_world_size()]


def of_torch_with_the_rank(count):
    order = torch.randperm(count, generator=torch.Generator().manual_seed(dist.get_rank()))  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def of_torch_without_a_seed(count):
    order = torch.randperm(count, generator=torch.Generator())
    return order[dist.get_rank() :: dist.get_world_size()]


def of_torch_with_a_seed_of_a_later_line(count, seed):
    draw = torch.Generator()
    draw.manual_seed(seed + dist.get_rank())
    order = torch.randperm(count, generator=draw)  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def of_torch_with_none(count):
    order = torch.randperm(count, generator=None)  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def of_torch_with_someone(count, generator):
    order = torch.randperm(count, generator=generator)
    return order[dist.get_rank() :: dist.get_world_size()]


def of_torch_with_options(count, options):
    order = torch.randperm(count, **options)
    return order[dist.get_rank() :: dist.get_world_size()]


def split_by_position(data):
    known, _ = random_split(data, [0.9, 0.1], torch.Generator().manual_seed(42))
    return DistributedSampler(known)


def split_by_position_by_the_rank(data):
    known, _ = random_split(data, [0.9, 0.1], torch.Generator().manual_seed(dist.get_rank()))  # expect: TL215
    return DistributedSampler(known)


def split_by_sklearn(data):
    known, _ = train_test_split(data, test_size=0.1)  # expect: TL215
    return DistributedSampler(known)


def split_by_sklearn_with_a_state(data):
    known, _ = train_test_split(data, test_size=0.1, random_state=42)
    return DistributedSampler(known)


def split_by_sklearn_with_no_state(data):
    known, _ = train_test_split(data, test_size=0.1, random_state=None)  # expect: TL215
    return DistributedSampler(known)


def split_by_sklearn_with_the_rank(data):
    known, _ = train_test_split(data, test_size=0.1, random_state=dist.get_rank())  # expect: TL215
    return DistributedSampler(known)


def split_by_sklearn_with_an_option(data, args):
    args.seed = 3 + dist.get_rank()
    known, _ = train_test_split(data, test_size=0.1, random_state=args.seed)  # expect: TL215
    return DistributedSampler(known)


def split_by_sklearn_with_an_option_for_all(data, args):
    args.seed = 3
    args.other = dist.get_rank()
    known, _ = train_test_split(data, test_size=0.1, random_state=args.seed)
    return DistributedSampler(known)


def split_by_sklearn_with_a_counted_option(data, args):
    args.seed += dist.get_rank()
    known, _ = train_test_split(data, test_size=0.1, random_state=args.seed)  # expect: TL215
    return DistributedSampler(known)


def split_by_sklearn_with_an_option_set_by_a_caller(data, options):
    known, _ = train_test_split(data, test_size=0.1, random_state=options.seed)  # expect: TL215
    return DistributedSampler(known)


def caller(data, args):
    args.seed = dist.get_rank()
    return split_by_sklearn_with_an_option_set_by_a_caller(data, args)


def split_by_sklearn_with_an_option_set_too_late(data, options):
    known, _ = train_test_split(data, test_size=0.1, random_state=options.seed)
    return DistributedSampler(known)


def late_caller(data, args):
    sampler = split_by_sklearn_with_an_option_set_too_late(data, args)
    args.seed = dist.get_rank()
    return sampler


def sampler_with_the_rank(data):
    return DistributedSampler(data, seed=dist.get_rank())  # expect: TL215


def sampler_with_a_seed(data, seed):
    return DistributedSampler(data, seed=seed)


def sampler_with_the_rank_that_does_not_shuffle(data):
    return DistributedSampler(data, seed=dist.get_rank(), shuffle=False)
