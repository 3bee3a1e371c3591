"""Evaluations over samplers that pad or not, and what is done with the results."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


@torch.no_grad()
def padded(model, images):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images, shuffle=False))  # expect: TL212
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right


@torch.no_grad()
def said_not_to_drop(model, images):
    order = DistributedSampler(images, shuffle=False, drop_last=False)
    loader = DataLoader(images, batch_size=8, sampler=order)  # expect: TL212
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right


@torch.no_grad()
def told_to_drop(model, images):
    order = DistributedSampler(images, shuffle=False, drop_last=True)
    loader = DataLoader(images, batch_size=8, sampler=order)  # expect: TL212
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right


@torch.no_grad()
def told_by_a_setting(model, images, config):
    order = DistributedSampler(images, shuffle=False, drop_last=config.drop)
    loader = DataLoader(images, batch_size=8, sampler=order)
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right


@torch.no_grad()
def ordered_by_a_setting(model, images, config):
    order = DistributedSampler(images, shuffle=config.mix)
    loader = DataLoader(images, batch_size=8, sampler=order)  # expect: TL212
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right


class Own(DistributedSampler):
    """Hands out each sample once."""

    def __iter__(self):
        return iter(range(self.rank, len(self.dataset), self.num_replicas))


@torch.no_grad()
def by_a_sampler_of_ones_own(model, images):
    loader = DataLoader(images, batch_size=8, sampler=Own(images, shuffle=False))
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right


@torch.no_grad()
def kept_by_the_rank(model, images):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images, shuffle=False))
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    return right


@torch.no_grad()
def only_met(model, images):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images, shuffle=False))
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.barrier()
    return right


@torch.no_grad()
def divided_by_the_length(model, dataset):
    # asks how many there are: may leave out the rest
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset, shuffle=False))
    found = []
    for batch in loader:
        found.append(model(batch).argmax(1))
    every = [torch.zeros(8) for _ in range(dist.get_world_size())]
    dist.all_gather(every, torch.cat(found))
    return torch.cat(every)[: len(dataset)]


@torch.no_grad()
def asks_for_another_length(model, dataset, names):
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset, shuffle=False))  # expect: TL212
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right / len(names)


def with_gradients(model, images):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images, shuffle=False))
    total = torch.zeros(1)
    for batch in loader:
        total = total + model(batch).sum()
    dist.all_reduce(total)
    return total


def scored(model, loader):
    right = torch.zeros(1)
    with torch.inference_mode():
        for batch in loader:
            right += model(batch).sum()
    return right


def caller_puts_together(model, images):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images, shuffle=False))  # expect: TL212
    right = scored(model, loader)
    dist.reduce(right, 0)
    return right


@torch.no_grad()
def without_a_sampler(model, images):
    loader = DataLoader(images, batch_size=8, shuffle=False)
    right = torch.zeros(1)
    for batch in loader:
        right += model(batch).sum()
    dist.all_reduce(right)
    return right
