"""Rounds over other data each time are steps, whatever they are counted by; rounds over the same data are epochs."""

import torch


def by_its_number(model, loader, optimizer):
    model.cuda()
    for ep, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        print(ep, loss.item())  # expect: TL801


def all_at_once(model, graph, optimizer, rounds):
    model.cuda()
    graph = graph.cuda()
    for number in range(rounds):
        optimizer.zero_grad()
        loss = model(graph).sum()
        loss.backward()
        optimizer.step()
        print(number, loss.item(), torch.__version__)
