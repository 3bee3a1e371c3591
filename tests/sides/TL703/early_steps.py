"""A scheduler's step before its optimizer's: in all rounds, in the first of them, or in later ones only."""

import torch
from torch.optim.lr_scheduler import LambdaLR, ReduceLROnPlateau, StepLR


def each_round(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for x in loader:
        scheduler.step()  # expect: TL703
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def behind_the_optimizer(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        scheduler.step()


def if_there_is_one(model, loader, schedule):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = LambdaLR(optimizer, schedule)
    for x in loader:
        if scheduler is not None:
            scheduler.step()  # expect: TL703
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def if_it_is_true(model, loader, schedule):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = LambdaLR(optimizer, schedule)
    for x in loader:
        if scheduler:
            scheduler.step()  # expect: TL703
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def not_in_the_first_epoch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        if epoch > 0:
            scheduler.step()
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def not_in_the_first_epoch_by_its_opposite(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        if not epoch == 0:
            scheduler.step()
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def in_the_first_epochs(model, loader, epochs, warm):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        if epoch < warm:
            scheduler.step()  # expect: TL703
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def in_the_first_epochs_by_its_opposite(model, loader, epochs, warm):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        if not epoch >= warm:
            scheduler.step()  # expect: TL703
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def in_the_later_epochs(model, loader, epochs, warm):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        if epoch >= warm:
            scheduler.step()
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def in_the_first_batches(model, loader, warm):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for i, x in enumerate(loader):
        if i < warm:
            scheduler.step()  # expect: TL703
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def both_tests(model, loader, epochs, warm):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        if scheduler is not None and epoch < warm:
            scheduler.step()  # expect: TL703
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def one_of_both_tests_is_of_something_else(model, loader, epochs, warm, late):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        if late.ready and epoch < warm:
            scheduler.step()
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def downwards(model, loader, epochs, warm):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs, 0, -1):
        if epoch < warm:
            scheduler.step()
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def told_the_epoch(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        scheduler.step(epoch)
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def told_the_epoch_by_keyword(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for epoch in range(epochs):
        scheduler.step(epoch=epoch)
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def told_a_metric(model, loader, epochs, validate):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = ReduceLROnPlateau(optimizer)
    for _ in range(epochs):
        scheduler.step(validate(model))
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def stepped_before_the_loop(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    optimizer.zero_grad()
    optimizer.step()
    for x in loader:
        scheduler.step()
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def other_step_before_the_loop(model, loader, game):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    game.play("first")
    for x in loader:
        scheduler.step()  # expect: TL703
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def of_another_optimizer(model, head, loader):
    first = torch.optim.SGD(model.parameters(), lr=0.1)
    second = torch.optim.SGD(head.parameters(), lr=0.1)
    scheduler = StepLR(second, 10)
    for x in loader:
        first.zero_grad()
        second.zero_grad()
        head(model(x)).mean().backward()
        second.step()
        scheduler.step()
        first.step()


def of_the_later_optimizer(model, head, loader):
    first = torch.optim.SGD(model.parameters(), lr=0.1)
    second = torch.optim.SGD(head.parameters(), lr=0.1)
    scheduler = StepLR(second, 10)
    for x in loader:
        first.zero_grad()
        second.zero_grad()
        head(model(x)).mean().backward()
        first.step()
        scheduler.step()  # expect: TL703
        second.step()


def both_are_handed_in(model, loader, optimizer, scheduler):
    for x in loader:
        scheduler.step()  # expect: TL703
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def in_an_inner_loop(model, loader, epochs, stages):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 10)
    for _ in range(epochs):
        for _ in stages:
            scheduler.step()
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
