"""Epochs over a loader with a distributed sampler: whether it shuffles, who tells it the epoch, how often the loop runs."""

import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def train_batch(model, optimizer, batch):
    loss = model(batch).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item() < 0.1


def never_told(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def told(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            train_batch(model, optimizer, batch)


def told_by_its_attribute(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):
        sampler.epoch = epoch
        for batch in loader:
            train_batch(model, optimizer, batch)


def another_attribute(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):  # expect: TL201
        sampler.drop_last = epoch > 0
        for batch in loader:
            train_batch(model, optimizer, batch)


def another_object_is_told(dataset, model, optimizer, epochs, state):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):  # expect: TL201
        state.epoch = epoch
        for batch in loader:
            train_batch(model, optimizer, batch)


def keeps_the_order(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):
        for batch in loader:
            train_batch(model, optimizer, batch)


def shuffles_by_keyword(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def shuffles_by_position(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset, dist.get_world_size(), dist.get_rank(), True)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def shuffles_if_it_is_told(dataset, model, optimizer, args):
    sampler = DistributedSampler(dataset, shuffle=args.shuffle)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(args.epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def shuffles_if_a_key_says_so(dataset, model, optimizer, config):
    sampler = DistributedSampler(dataset, shuffle=config["shuffle"])
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(config["epochs"]):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def shuffles_unless_a_setting_says_not(dataset, model, optimizer, args):
    sampler = DistributedSampler(dataset, shuffle=not args.in_order)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(args.epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def shuffles_by_a_row_of_a_table(dataset, model, optimizer, flags, epochs):
    sampler = DistributedSampler(dataset, shuffle=flags[0])
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):
        for batch in loader:
            train_batch(model, optimizer, batch)


def shuffles_if_a_parameter_says_so(dataset, model, optimizer, epochs, shuffle):
    sampler = DistributedSampler(dataset, shuffle=shuffle)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in range(epochs):
        for batch in loader:
            train_batch(model, optimizer, batch)


def single_epoch(dataset, model, optimizer):
    loader = DataLoader(dataset, 8, sampler=DistributedSampler(dataset))
    for epoch in range(1):
        for batch in loader:
            train_batch(model, optimizer, batch)


def single_epoch_by_a_name(dataset, model, optimizer):
    epochs = 1
    loader = DataLoader(dataset, 8, sampler=DistributedSampler(dataset))
    for epoch in range(epochs):
        for batch in loader:
            train_batch(model, optimizer, batch)


def two_epochs(dataset, model, optimizer):
    loader = DataLoader(dataset, 8, sampler=DistributedSampler(dataset))
    for epoch in range(2):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def from_a_start(dataset, model, optimizer, start, epochs):
    loader = DataLoader(dataset, 8, sampler=DistributedSampler(dataset))
    for epoch in range(start, epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def until_it_is_good(dataset, model, optimizer):
    loader = DataLoader(dataset, 8, sampler=DistributedSampler(dataset))
    good = False
    while not good:  # expect: TL201
        for batch in loader:
            good = train_batch(model, optimizer, batch)


def unnamed_epochs(dataset, model, optimizer):
    loader = DataLoader(dataset, 8, sampler=DistributedSampler(dataset))
    for _ in range(5):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def epochs_of(sampler, count):
    for epoch in range(count):
        sampler.set_epoch(epoch)
        yield epoch


def plain_epochs(count):
    for epoch in range(count):
        print("epoch", epoch)
        yield epoch


def told_by_the_generator(dataset, model, optimizer, count):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in epochs_of(sampler, count):
        for batch in loader:
            train_batch(model, optimizer, batch)


def generator_that_does_not_tell(dataset, model, optimizer, count):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, 8, sampler=sampler)
    for epoch in plain_epochs(count):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


class CountingSampler(DistributedSampler):
    """Counts its own epochs."""

    def __iter__(self):
        self.epoch = self.epoch + 1
        return super().__iter__()


class PlainSampler(DistributedSampler):
    """Leaves the order to its parent."""

    def __iter__(self):
        print("begins")
        return super().__iter__()


class OwnOrder(DistributedSampler):
    """Does not ask for the epoch."""

    def __iter__(self):
        return iter(self.order[self.rank :: self.num_replicas])


class OwnShuffle(DistributedSampler):
    """Asks for the epoch itself."""

    def __iter__(self):
        order = shuffled(len(self.dataset), seed=self.seed + self.epoch)
        return iter(order[self.rank :: self.num_replicas])


def shuffled(count, seed):
    return [(index * 7919 + seed) % count for index in range(count)]


def counting(dataset, model, optimizer, epochs):
    loader = DataLoader(dataset, 8, sampler=CountingSampler(dataset))
    for epoch in range(epochs):
        for batch in loader:
            train_batch(model, optimizer, batch)


def leaves_it_to_its_parent(dataset, model, optimizer, epochs):
    loader = DataLoader(dataset, 8, sampler=PlainSampler(dataset))
    for epoch in range(epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)


def asks_for_nothing(dataset, model, optimizer, epochs):
    loader = DataLoader(dataset, 8, sampler=OwnOrder(dataset))
    for epoch in range(epochs):
        for batch in loader:
            train_batch(model, optimizer, batch)


def asks_for_the_epoch(dataset, model, optimizer, epochs):
    loader = DataLoader(dataset, 8, sampler=OwnShuffle(dataset))
    for epoch in range(epochs):  # expect: TL201
        for batch in loader:
            train_batch(model, optimizer, batch)
