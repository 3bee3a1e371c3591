"""Training that counts steps, or epochs, in a while loop."""

import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def advance(model, optimizer, batch):
    loss = model(batch).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def until_enough_steps(dataset, model, optimizer, total):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, drop_last=True))
    done = 0
    while done < total:  # expect: TL201
        for batch in loader:
            advance(model, optimizer, batch)
            done += 1
            if done == total:
                break


def until_enough_epochs(dataset, model, optimizer, epochs):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, drop_last=True))
    epoch = 0
    while epoch < epochs:  # expect: TL201
        for batch in loader:
            advance(model, optimizer, batch)
        epoch += 1


def steps_with_epochs(dataset, model, optimizer, total):
    sampler = DistributedSampler(dataset, drop_last=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    done, passes = 0, 0
    while done < total:
        sampler.set_epoch(passes)
        for batch in loader:
            advance(model, optimizer, batch)
            done += 1
        passes += 1


def restarted_iterator(dataset, model, optimizer, total):
    sampler = DistributedSampler(dataset, drop_last=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    passes = 0
    batches = iter(loader)
    for _ in range(total):
        try:
            batch = next(batches)
        except StopIteration:
            passes += 1
            sampler.set_epoch(passes)
            batches = iter(loader)
            batch = next(batches)
        advance(model, optimizer, batch)


def best_of(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset, drop_last=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    best = torch.tensor(float("inf"))
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        for batch in loader:
            best = torch.minimum(best, advance(model, optimizer, batch))
    return best
