"""Samplers that shuffle if a setting says so, and loaders that a loop over the parts of the settings makes."""

from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def loaders_of_phases(options, make_dataset, model):
    for phase, given in options["datasets"].items():
        if phase == "train":
            data = make_dataset(given)
            if options["dist"]:
                sampler = DistributedSampler(data, shuffle=given["shuffle"], drop_last=True)
                train_loader = DataLoader(data, batch_size=4, shuffle=False, sampler=sampler)
            else:
                train_loader = DataLoader(data, batch_size=4, shuffle=given["shuffle"])
        elif phase == "test":
            test_loader = DataLoader(make_dataset(given), batch_size=1, shuffle=False)
    for epoch in range(1000):  # expect: TL201
        for batch in train_loader:
            model.backward(batch)
    return test_loader


def by_an_attribute(cfg, data, model):
    sampler = DistributedSampler(data, shuffle=cfg.data.shuffle)
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(cfg.epochs):  # expect: TL201
        for batch in loader:
            model.backward(batch)


def unless_it_is_in_order(cfg, data, model):
    sampler = DistributedSampler(data, shuffle=not cfg.in_order)
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(cfg.epochs):  # expect: TL201
        for batch in loader:
            model.backward(batch)
