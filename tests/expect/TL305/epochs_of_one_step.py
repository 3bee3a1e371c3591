"""Rounds over other data each time are steps, whatever they are counted by; rounds over the same data are epochs."""

import torch


def by_its_number(model, loader, optimizer):
    model.cuda()
    for epoch_step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch.cuda()).sum().backward()
        optimizer.step()
        torch.cuda.empty_cache()  # expect: TL305


def drawn(model, draw, optimizer, epochs):
    model.cuda()
    for epoch in range(epochs):
        optimizer.zero_grad()
        model(draw(epoch)).sum().backward()
        optimizer.step()
        torch.cuda.empty_cache()  # expect: TL305


def all_at_once(model, graph, optimizer, rounds):
    model.cuda()
    graph = graph.cuda()
    for number in range(rounds):
        optimizer.zero_grad()
        model(graph).sum().backward()
        optimizer.step()
        torch.cuda.empty_cache()
