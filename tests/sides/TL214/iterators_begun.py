"""The iterator of the loader is made by hand, before or behind the sampler is told."""

from torch.utils.data import DataLoader, DistributedSampler


def with_workers(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order, num_workers=2)
    for epoch in range(epochs):
        batches = iter(loader)
        order.set_epoch(epoch)  # expect: TL214
        for _ in range(len(loader)):
            optimizer.zero_grad()
            model(next(batches)).backward()
            optimizer.step()


def without_workers(model, optimizer, images, epochs):
    # asks for nothing before the first batch
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order, num_workers=0)
    for epoch in range(epochs):
        batches = iter(loader)
        order.set_epoch(epoch)
        for _ in range(len(loader)):
            optimizer.zero_grad()
            model(next(batches)).backward()
            optimizer.step()


def with_workers_of_a_setting(model, optimizer, images, epochs, config):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order, num_workers=config.workers)
    for epoch in range(epochs):
        batches = iter(loader)
        order.set_epoch(epoch)
        for _ in range(len(loader)):
            optimizer.zero_grad()
            model(next(batches)).backward()
            optimizer.step()


def in_time(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order, num_workers=2)
    for epoch in range(epochs):
        order.set_epoch(epoch)
        batches = iter(loader)
        for _ in range(len(loader)):
            optimizer.zero_grad()
            model(next(batches)).backward()
            optimizer.step()


def of_another_loader_first(model, optimizer, images, masks, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order, num_workers=2)
    others = DataLoader(masks, batch_size=8, num_workers=2)
    for epoch in range(epochs):
        negatives = iter(others)
        order.set_epoch(epoch)
        for batch in loader:
            optimizer.zero_grad()
            model(batch, next(negatives)).backward()
            optimizer.step()


def something_else_first(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order, num_workers=2)
    for epoch in range(epochs):
        print()
        total = len(loader)
        order.set_epoch(epoch)
        for batch in loader:
            optimizer.zero_grad()
            (model(batch) / total).backward()
            optimizer.step()
