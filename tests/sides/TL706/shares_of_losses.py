"""Windows of batches: whether the loss is divided on some way, and by what a window is counted."""

import torch
import torch.nn.functional as F
from torch import nn


def as_it_is(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def divided(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / window).backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def divided_in_place(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        loss /= window
        loss.backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def divided_by_a_method(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).div(window).backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def summed_by_a_method(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y, reduction="none").sum().backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def mean_by_a_method(model, optimizer, loader, window):
    for i, x in enumerate(loader):
        model(x).mean().backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def told_to_take_the_mean(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y, reduction="mean").backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def criterion_that_sums(model, optimizer, loader, window):
    criterion = nn.CrossEntropyLoss(reduction="sum")
    for i, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def criterion_that_takes_the_mean(model, optimizer, loader, window):
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    for i, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def two_terms(model, optimizer, loader, window, penalty):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) + penalty(model)
        loss.backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def two_terms_of_which_one_is_weighed(model, optimizer, loader, window, penalty):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) + 0.1 * penalty(model)
        loss.backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def loss_of_the_output(model, optimizer, loader, window):
    for i, batch in enumerate(loader):
        model(**batch).loss.backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def first_of_the_outputs(model, optimizer, loader, window):
    for i, batch in enumerate(loader):
        model(**batch)[0].backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def one_loss_or_the_other(model, optimizer, loader, window, smooth):
    for i, (x, y) in enumerate(loader):
        out = model(x)
        loss = F.smooth_l1_loss(out, y) if smooth else F.mse_loss(out, y)
        loss.backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def divided_if_it_is_long(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        if window > 1:
            loss = loss / window
        loss.backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def loss_of(model, x, y):
    return F.mse_loss(model(x), y)


def share_of(model, x, y, window):
    return F.mse_loss(model(x), y) / window


def nothing_of(model, x):
    print(model(x))


def every_loss_of(model, parts):
    for x, y in parts:
        yield F.mse_loss(model(x), y)


def by_a_helper(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        loss_of(model, x, y).backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def by_a_helper_that_divides(model, optimizer, loader, window):
    for i, (x, y) in enumerate(loader):
        share_of(model, x, y, window).backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def by_a_generator(model, optimizer, loader, window):
    for i, parts in enumerate(loader):
        next(every_loss_of(model, parts)).backward()  # expect: TL706
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def told_of_the_window(model, optimizer, loader, window, criterion):
    for i, (x, y) in enumerate(loader):
        criterion(model(x), y, window).backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def carried_by_the_loop(model, optimizer, loader, window):
    loss = torch.zeros(())
    for i, (x, y) in enumerate(loader):
        loss.backward() if i else None
        loss = F.mse_loss(model(x), y)
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def micro_steps(model, optimizer, batches, steps):
    for _ in range(steps):
        for micro_step in range(4):
            model(next(batches)).mean().backward()  # expect: TL706
        optimizer.step()
        optimizer.zero_grad()


def counted_by_its_name(model, optimizer, batches, steps, accumulation_steps):
    for _ in range(steps):
        for _ in range(accumulation_steps):
            model(next(batches)).mean().backward()  # expect: TL706
        optimizer.step()
        optimizer.zero_grad()


def over_tasks(model, optimizer, batches, steps, tasks):
    for _ in range(steps):
        for _ in range(tasks):
            model(next(batches)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def from_a_start(model, optimizer, batches, steps, accumulation_steps):
    for _ in range(steps):
        for _ in range(1, accumulation_steps):
            model(next(batches)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def one_micro_step(model, optimizer, batches, steps):
    for _ in range(steps):
        for micro_step in range(1):
            model(next(batches)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def window_of_one(model, optimizer, loader):
    for i, x in enumerate(loader):
        model(x).mean().backward()
        if (i + 1) % 1 == 0:
            optimizer.step()
            optimizer.zero_grad()


def emptied_in_each_round(model, optimizer, loader, window):
    for i, x in enumerate(loader):
        optimizer.zero_grad()
        model(x).mean().backward()
        if (i + 1) % window != 0:
            continue
        optimizer.step()


def scaled(model, optimizer, scaler, loader, window):
    for i, x in enumerate(loader):
        scaler.scale(model(x).mean()).backward()  # expect: TL706
        if (i + 1) % window == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def scaled_share(model, optimizer, scaler, loader, window):
    for i, x in enumerate(loader):
        scaler.scale(model(x).mean() / window).backward()
        if (i + 1) % window == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
