"""Model and loss come from one function that constructs what it is told; the loss is given the wrapper and runs it."""
# Modelled on NVlabs/edm2 (training/training_loop.py).

import importlib

import torch


def construct(*args, name, **kwargs):
    module, _, attribute = name.rpartition(".")
    found = getattr(importlib.import_module(module), attribute)
    return found(*args, **kwargs)


def train(dataset, model_options, loss_options, optimizer_options, device, rounds):
    net = construct(**model_options)
    net.train().requires_grad_(True).to(device)
    loss_fn = construct(**loss_options)
    optimizer = construct(params=net.parameters(), **optimizer_options)
    ddp = torch.nn.parallel.DistributedDataParallel(net, device_ids=[device])
    while True:
        optimizer.zero_grad(set_to_none=True)
        for _ in range(rounds):
            images, labels = next(dataset)
            loss = loss_fn(net=ddp, images=images.to(device), labels=labels.to(device))
            loss.sum().backward()
        optimizer.step()
