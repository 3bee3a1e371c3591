"""One loop over epochs, and the place and the argument of the call that tells the sampler."""

import torch.distributed as dist
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def run_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def behind(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        run_epoch(model, optimizer, loader)
        order.set_epoch(epoch)  # expect: TL214


def before(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        order.set_epoch(epoch)
        run_epoch(model, optimizer, loader)


def behind_by_name(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        run_epoch(model, optimizer, loader)
        order.set_epoch(epoch=epoch)  # expect: TL214


def behind_with_two_arguments(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        run_epoch(model, optimizer, loader)
        order.set_epoch(epoch, 0)


def behind_another_sampler(model, optimizer, images, masks, epochs):
    order = DistributedSampler(images)
    other = DistributedSampler(masks)
    loader = DataLoader(images, batch_size=8, sampler=order)
    order.set_epoch(1)
    for epoch in range(epochs):
        run_epoch(model, optimizer, loader)
        other.set_epoch(epoch)


def train_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def by_the_loader(model, optimizer, images, epochs):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images))
    for epoch in range(epochs):
        train_epoch(model, optimizer, loader)
        loader.sampler.set_epoch(epoch)  # expect: TL214


def by_the_sampler_of_batches(model, optimizer, images, epochs):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images))
    for epoch in range(epochs):
        train_epoch(model, optimizer, loader)
        loader.batch_sampler.sampler.set_epoch(epoch)  # expect: TL214


def by_another_loader(model, optimizer, images, masks, epochs):
    loader = DataLoader(images, batch_size=8, sampler=DistributedSampler(images))
    second = DataLoader(masks, batch_size=8, sampler=DistributedSampler(masks))
    loader.sampler.set_epoch(1)
    for epoch in range(epochs):
        train_epoch(model, optimizer, loader)
        second.sampler.set_epoch(epoch)


def inside_batches(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        for batch in loader:
            order.set_epoch(epoch)  # expect: TL214
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()


def inside_batches_sometimes(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        for number, batch in enumerate(loader):
            if number == len(loader) - 1:
                order.set_epoch(epoch)
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()


def inside_another_loop(model, optimizer, images, epochs, parts):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        for part in parts:
            print(part)
            order.set_epoch(epoch)
        train_epoch(model, optimizer, loader)


def behind_where_there_are_several(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        train_epoch(model, optimizer, loader)
        if dist.get_world_size() > 1:
            order.set_epoch(epoch)  # expect: TL214


def one_round(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def a_constant(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for _ in range(epochs):
        order.set_epoch(3)  # expect: TL214
        one_round(model, optimizer, loader)


def a_setting(model, optimizer, images, epochs, config):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for _ in range(epochs):
        order.set_epoch(config.seed)
        one_round(model, optimizer, loader)


def counted_from_zero(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(0, epochs):
        one_round(model, optimizer, loader)
        order.set_epoch(epoch)  # expect: TL214


def counted_from_one(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(1, epochs + 1):
        one_round(model, optimizer, loader)
        order.set_epoch(epoch)


def counted_by_a_list(model, optimizer, images, numbers):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in numbers:
        one_round(model, optimizer, loader)
        order.set_epoch(epoch)


def pass_over(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def told_twice(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        order.set_epoch(epoch)
        pass_over(model, optimizer, loader)
        order.set_epoch(epoch)


def told_in_a_helper_too(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        prepare(order, epoch)
        pass_over(model, optimizer, loader)
        order.set_epoch(epoch)


def prepare(order, epoch):
    order.set_epoch(epoch)


def only_once(model, optimizer, images):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(1):
        pass_over(model, optimizer, loader)
        order.set_epoch(epoch)
