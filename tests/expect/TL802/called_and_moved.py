"""What is called and moved, or switched to evaluation, is a model; what is differentiated is a loss: no name says so."""

import time

import torch


def moved(thing, x):
    thing.cuda()
    start = time.time()
    y = thing(x.cuda())
    return time.time() - start, y  # expect: TL802


def in_a_step(thing, judge, parts, loader):
    thing.cuda().train()
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        start = time.time()
        parts.zero_grad()
        found = judge(thing(x), y)
        found.backward()
        parts.step()
        print(time.time() - start)  # expect: TL802


def of_numbers(thing, x):
    torch.cuda.init()
    start = time.time()
    y = thing(x)
    return time.time() - start, y
