"""The same, told the epoch; or never shuffled."""

from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def told_in_the_loop(options, make_dataset, model):
    for phase, given in options["datasets"].items():
        if phase == "train":
            data = make_dataset(given)
            sampler = DistributedSampler(data, shuffle=given["shuffle"])
            loader = DataLoader(data, batch_size=4, sampler=sampler)
    for epoch in range(1000):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.backward(batch)


def told(cfg, data, model):
    sampler = DistributedSampler(data, shuffle=cfg.data.shuffle)
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(cfg.epochs):
        loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.backward(batch)


def in_order(cfg, data, model):
    sampler = DistributedSampler(data, shuffle=False)
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(cfg.epochs):
        for batch in loader:
            model.backward(batch)


def as_the_caller_says(data, shuffle):
    return DataLoader(data, sampler=DistributedSampler(data, shuffle=shuffle))


def in_order_by_the_caller(cfg, data, model):
    loader = as_the_caller_says(data, False)
    for epoch in range(cfg.epochs):
        for batch in loader:
            model.backward(batch)


def no_epochs(cfg, data, model):
    sampler = DistributedSampler(data, shuffle=cfg.data.shuffle)
    for batch in DataLoader(data, sampler=sampler):
        model.backward(batch)
