"""More loops and functions between the epochs and the batches."""

from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def step(model, optimizer, batch):
    optimizer.zero_grad()
    model(batch).backward()
    optimizer.step()


def inner(model, optimizer, loader):
    for batch in loader:
        step(model, optimizer, batch)


def outer(model, optimizer, loader):
    model.train()
    inner(model, optimizer, loader)
    print("done")


def two_functions_deep(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        outer(model, optimizer, loader)
        order.set_epoch(epoch)  # expect: TL214


def two_functions_deep_in_time(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        order.set_epoch(epoch)
        outer(model, optimizer, loader)


def told_around_too(model, optimizer, images, folds, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for fold in range(folds):
        order.set_epoch(fold)
        for epoch in range(epochs):
            outer(model, optimizer, loader)
            order.set_epoch(epoch)


def own_batches(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    batches = BatchSampler(order, 8, drop_last=True)
    loader = DataLoader(images, batch_sampler=batches)
    for epoch in range(epochs):
        for batch in loader:
            step(model, optimizer, batch)
        order.set_epoch(epoch)  # expect: TL214


def a_text_for_a_constant(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for _ in range(epochs):
        order.set_epoch(None)
        for batch in loader:
            step(model, optimizer, batch)


def a_constant_with_a_count(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for number in range(epochs):
        order.set_epoch(0)  # expect: TL214
        print(number)
        for batch in loader:
            step(model, optimizer, batch)


def with_pairs(model, optimizer, images, names):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch, name in enumerate(names):
        order.set_epoch(0)  # expect: TL214
        print(epoch, name)
        for batch in loader:
            step(model, optimizer, batch)


def inside_with_another_loop(model, optimizer, images, epochs, heads):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_size=8, sampler=order)
    for epoch in range(epochs):
        for batch in loader:
            for head in heads:
                order.set_epoch(epoch)
                print(head)
            step(model, optimizer, batch)
