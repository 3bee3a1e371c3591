"""The second reading may be another function's, which is handed the first."""

import time

import torch


def report(name, begin):
    print(name, time.time() - begin)  # expect: TL802


def report_when_done(name, begin):
    torch.cuda.synchronize()
    print(name, time.time() - begin)


def latency(model, images):
    model.cuda()
    begin = time.time()
    output = model(images)
    report("forward", begin)
    return output


def latency_when_done(model, images):
    model.cuda()
    begin = time.time()
    output = model(images)
    report_when_done("forward", begin)
    return output


def latency_of_each(model, loader):
    model.cuda()
    for images in loader:
        begin = time.time()
        output = model(images)
        print(output.sum().item())
        report("batch", begin)


def hours(begin):
    return (time.time() - begin) / 3600


def train(model, loader, optimizer):
    begin = time.time()
    for images in loader:
        optimizer.zero_grad()
        model(images.cuda()).sum().backward()
        optimizer.step()
    print(hours(begin))
