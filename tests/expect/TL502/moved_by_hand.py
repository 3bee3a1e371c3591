"""A batch is put on the device item by item, in a comprehension."""

import torch
import torch_xla.core.xla_model as xm


def dicts(model, optimizer, loader):
    device = xm.xla_device()
    model.to(device)
    for batch in loader:
        batch = {name: value.to(device) for name, value in batch.items()}
        labels = batch["labels"]
        seen = torch.nonzero(labels)  # expect: TL502
        loss = model(batch["ids"], seen)
        loss.backward()
        xm.optimizer_step(optimizer)  # expect: TL505


def lists(model, optimizer, loader):
    device = xm.xla_device()
    model.to(device)
    for batch in loader:
        ids, labels = [value.to(device) for value in batch]
        loss = model(ids, labels[labels > 0])  # expect: TL502
        loss.backward()
        xm.optimizer_step(optimizer)  # expect: TL505


def before_they_move(model, optimizer, loader):
    device = xm.xla_device()
    model.to(device)
    for batch in loader:
        picked = {name: value[value > 0] for name, value in batch.items()}
        count = torch.nonzero(batch["labels"])
        batch = {name: value.to(device) for name, value in batch.items()}
        loss = model(batch["ids"], len(picked), len(count))
        loss.backward()
        xm.optimizer_step(optimizer)  # expect: TL505


def back_on_the_host(model, optimizer, loader):
    device = xm.xla_device()
    model.to(device)
    for batch in loader:
        batch = {name: value.to(device) for name, value in batch.items()}
        loss = model(batch["ids"])
        loss.backward()
        xm.optimizer_step(optimizer)  # expect: TL505
        host = {name: value.cpu() for name, value in batch.items()}
        print(torch.nonzero(host["labels"]))
