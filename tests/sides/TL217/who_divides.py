"""Loaders with a distributed sampler that accelerate prepares."""

from accelerate import Accelerator, DataLoaderConfiguration
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler


def divided_twice(dataset):
    accelerator = Accelerator()
    return accelerator.prepare(DataLoader(dataset, sampler=DistributedSampler(dataset)))  # expect: TL217


def divided_once(dataset):
    accelerator = Accelerator()
    return accelerator.prepare(DataLoader(dataset, sampler=RandomSampler(dataset)))


def by_its_own_name(dataset):
    accelerator = Accelerator()
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=False))  # expect: TL217
    return accelerator.prepare_data_loader(loader)


def with_another_option(dataset):
    accelerator = Accelerator(mixed_precision="bf16")
    return accelerator.prepare(DataLoader(dataset, sampler=DistributedSampler(dataset)))  # expect: TL217


def told_otherwise(dataset):
    accelerator = Accelerator(dataloader_config=DataLoaderConfiguration(split_batches=True))
    return accelerator.prepare(DataLoader(dataset, sampler=DistributedSampler(dataset)))


def told_by_settings(dataset, settings):
    accelerator = Accelerator(**settings)
    return accelerator.prepare(DataLoader(dataset, sampler=DistributedSampler(dataset)))


def of_one_replica(dataset):
    accelerator = Accelerator()
    sampler = DistributedSampler(dataset, num_replicas=1, rank=0)
    return accelerator.prepare(DataLoader(dataset, sampler=sampler))


def of_two_replicas(dataset):
    accelerator = Accelerator()
    sampler = DistributedSampler(dataset, num_replicas=2, rank=accelerator.process_index)
    return accelerator.prepare(DataLoader(dataset, sampler=sampler))  # expect: TL217


def perhaps(dataset, distributed):
    accelerator = Accelerator()
    sampler = DistributedSampler(dataset) if distributed else None
    return accelerator.prepare(DataLoader(dataset, sampler=sampler))


def with_the_model(dataset, model):
    accelerator = Accelerator()
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))  # expect: TL217
    return accelerator.prepare(model, loader)


def shuffled_as_set(dataset, args):
    accelerator = Accelerator()
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=args.shuffle))  # expect: TL217
    return accelerator.prepare(loader)


def in_order(dataset, model):
    accelerator = Accelerator()
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=False))  # expect: TL217
    return accelerator.prepare(loader)


def twice_prepared(dataset, model):
    accelerator = Accelerator()
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))  # expect: TL217
    first = accelerator.prepare(loader)
    second = accelerator.prepare(loader, model)
    return first, second


def by_somebody(dataset, accelerator):
    return accelerator.prepare(DataLoader(dataset, sampler=DistributedSampler(dataset)))


def spread_out(things):
    accelerator = Accelerator()
    return accelerator.prepare(*things)
