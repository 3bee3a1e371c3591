"""Gradients that are emptied before anybody has used them."""

import torch
from torch import optim


def swapped(net, loader, criterion):
    opt = optim.Adam(net.parameters())
    for x, y in loader:
        loss = criterion(net(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.zero_grad()  # expect: TL702
        opt.step()


def through_the_model(net, loader, criterion):
    opt = optim.Adam(net.parameters())
    for x, y in loader:
        criterion(net(x), y).backward()
        net.zero_grad()  # expect: TL702
        opt.step()


def emptied_each_round(net, loader, optimizer, scaler, args):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        loss = net(batch) / args.gradient_accumulation_steps
        scaler.scale(loss).backward()
        if (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == len(loader):
            scaler.step(optimizer)
            scaler.update()


def one_of_several(parts, loader, criterion):
    first, second = (optim.SGD(part.parameters(), 0.1) for part in parts)
    for batch in loader:
        first.zero_grad()
        second.zero_grad()
        criterion(parts[1](parts[0](batch))).backward()
        first.step()
        second.step()


def micro_batches(net, loader, optimizer, size):
    for batch in loader:
        for part in batch.split(size):
            optimizer.zero_grad()  # expect: TL702
            net(part).mean().backward()
        optimizer.step()
