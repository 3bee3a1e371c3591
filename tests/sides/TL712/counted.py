"""What a scheduler was told to count, batches or epochs, and where it is stepped."""

import torch
from torch.optim import lr_scheduler


def batches_but_once_an_epoch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=len(loader))
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
        scheduler.step()  # expect: TL712


def batches_for_each_batch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=len(loader))
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()


def one_step_per_epoch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=1)
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
        scheduler.step()


def none_per_epoch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs, steps_per_epoch=None)
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
        scheduler.step()


def total_of_the_loader(model, train_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs * len(train_loader))
    for _ in range(epochs):
        for x in train_loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
        scheduler.step()  # expect: TL712


def total_of_a_loader_in_a_dict(model, loaders, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs * len(loaders["train"]))
    for _ in range(epochs):
        for x in loaders["train"]:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
        scheduler.step()  # expect: TL712


def total_of_a_list(model, loader, epochs, milestones):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=len(milestones))
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
        scheduler.step()


def epochs_for_each_batch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()  # expect: TL712


def epochs_by_position_for_each_batch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for _ in range(1, epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()  # expect: TL712


def epochs_in_epochs(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
        scheduler.step()


def another_number_for_each_batch(model, loader, epochs, total):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=total)
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()


def the_same_number_for_each_batch(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=90)
    for _ in range(90):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()  # expect: TL712


def a_small_number_for_each_batch(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
    for _ in range(2):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()


def every_few_batches(model, loader, epochs, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for _ in range(epochs):
        for i, x in enumerate(loader):
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            if i % every == 0:
                scheduler.step()


def at_both_places(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs * len(loader) + epochs)
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()
        scheduler.step()


def told_where_it_is(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step(epoch)


def one_of_two_schedulers(model, loader, epochs, cosine):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if cosine:
        scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    else:
        scheduler = lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs)
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()  # expect: TL712


def one_epoch(model, loader, optimizer, scheduler):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        scheduler.step()  # expect: TL712


def in_another_function(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for _ in range(epochs):
        one_epoch(model, loader, optimizer, scheduler)


def while_there_are_epochs(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    epoch = 0
    while epoch < epochs:
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            scheduler.step()
        epoch += 1
