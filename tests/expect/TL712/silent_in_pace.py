"""Schedulers that are stepped as they count, and those of which nobody can say what they count."""

import torch
import torch.optim.lr_scheduler as lrs
from transformers import get_linear_schedule_with_warmup


def warm_up_in_batches(model, train_loader, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    schedule = get_linear_schedule_with_warmup(optimizer, 100, len(train_loader) * epochs)
    for _ in range(epochs):
        for batch in train_loader:
            model(**batch).loss.backward()
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()


def two_of_them(model, train_loader, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    warm_up = lrs.LinearLR(optimizer, total_iters=len(train_loader))
    decay = lrs.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        for batch in train_loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if epoch == 0:
                warm_up.step()
        if epoch > 0:
            decay.step()


def at_the_last_batch(model, loader, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    decay = lrs.CosineAnnealingLR(optimizer, T_max=epochs)
    for _ in range(epochs):
        for number, batch in enumerate(loader):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if number == len(loader) - 1:
                decay.step()


def iterations(model, stream, total):
    optimizer = torch.optim.AdamW(model.parameters())
    decay = lrs.CosineAnnealingLR(optimizer, T_max=total)
    for _ in range(total):
        optimizer.zero_grad()
        model(next(stream)).mean().backward()
        optimizer.step()
        decay.step()


def several_runs(model, graph, runs, epochs):
    for _ in range(runs):
        optimizer = torch.optim.Adam(model.parameters())
        decay = lrs.CosineAnnealingLR(optimizer, T_max=epochs)
        for _ in range(epochs):
            optimizer.zero_grad()
            model(graph).mean().backward()
            optimizer.step()
            decay.step()


def once_in_a_pass(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    one_cycle = lrs.OneCycleLR(optimizer, 0.1, total_steps=epochs)
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        one_cycle.step()


def seldom(model, loader, epochs, every):
    optimizer = torch.optim.Adam(model.parameters())
    steps = lrs.StepLR(optimizer, every)
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            steps.step()


def steps_each_epoch_is_one(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    one_cycle = lrs.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=1)
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        one_cycle.step()
