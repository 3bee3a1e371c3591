"""Losses set under the keys of a dict: another key in each round of the loop around, or one that comes again."""

import time

import torch.nn.functional as F


def step(model, optimizer, x, y):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def number_of_the_round(model, loader, optimizer):
    losses = {}
    for i, (x, y) in enumerate(loader):
        losses[i] = step(model, optimizer, x, y)  # expect: TL301
    return losses


def one_name(model, loader, optimizer):
    losses = {}
    for x, y in loader:
        losses["train"] = step(model, optimizer, x, y)
    return losses


def counted_by_hand(model, loader, optimizer):
    losses, done = {}, 0
    for x, y in loader:
        losses[done] = step(model, optimizer, x, y)  # expect: TL301
        done += 1
    return losses


def name_with_the_number(model, loader, optimizer):
    losses, done = {}, 0
    for x, y in loader:
        losses[f"step {done}"] = step(model, optimizer, x, y)  # expect: TL301
        done = done + 1
    return losses


def name_of_the_run(model, loader, optimizer, run):
    losses = {}
    for x, y in loader:
        losses[f"loss of {run}"] = step(model, optimizer, x, y)
    return losses


def while_loop_counts(model, batches, optimizer, steps):
    losses, done = {}, 0
    while done < steps:
        x, y = next(batches)
        losses[done] = step(model, optimizer, x, y)  # expect: TL301
        done += 1
    return losses


def name_of_the_sample(model, loader, optimizer):
    losses = {}
    for row in loader:
        losses[row["id"]] = step(model, optimizer, row["x"], row["y"])  # expect: TL301
    return losses


def converted_name_of_the_sample(model, loader, optimizer):
    losses = {}
    for row in loader:
        losses[int(row["id"])] = step(model, optimizer, row["x"], row["y"])  # expect: TL301
    return losses


def number_read_off_a_tensor(model, loader, optimizer):
    losses = {}
    for row in loader:
        losses[row["id"].item()] = step(model, optimizer, row["x"], row["y"])  # expect: TL301
    return losses


def epoch_and_task(model, tasks, optimizer):
    losses = {}
    for epoch in range(100):
        for name, (x, y) in tasks.items():
            losses[epoch, name] = step(model, optimizer, x, y)  # expect: TL301
    return losses


def numbers_in_each_epoch(model, tasks, optimizer):
    losses = {}
    for _ in range(100):
        for task in range(5):
            x, y = tasks[task].draw()
            losses[task] = step(model, optimizer, x, y)
    return losses


def text_with_the_number_of_the_round(model, loader, optimizer):
    losses = {}
    for i, (x, y) in enumerate(loader):
        losses[f"step {i}"] = step(model, optimizer, x, y)  # expect: TL301
    return losses


def text_with_the_epoch_in_the_inner_loop(model, tasks, optimizer):
    losses = {}
    for epoch in range(100):
        for task in range(5):
            x, y = tasks[task].draw()
            losses[f"{task} of {epoch}"] = step(model, optimizer, x, y)  # expect: TL301
    return losses


def text_with_the_task_alone(model, tasks, optimizer):
    losses = {}
    for _ in range(100):
        for task in range(5):
            x, y = tasks[task].draw()
            losses[f"task {task}"] = step(model, optimizer, x, y)
    return losses
