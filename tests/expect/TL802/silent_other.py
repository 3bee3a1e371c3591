"""Clocks around something else than work on a GPU, or around a lot of it."""

import time

import torch


def train_one_epoch(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch.cuda(non_blocking=True)).backward()
        optimizer.step()


def epochs(model, loader, optimizer, count):
    model.cuda()
    for epoch in range(count):
        begin = time.time()
        train_one_epoch(model, loader, optimizer)
        print(epoch, time.time() - begin)


def eta(model, loader, optimizer, total):
    model.cuda()
    start = time.time()
    for number, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch.cuda(non_blocking=True)).backward()
        optimizer.step()
        if number % 100 == 0:
            print((time.time() - start) / (number + 1) * (total - number))


def building(make_model, config):
    t0 = time.perf_counter()
    model = make_model(config).cuda()
    print("instantiated in", time.perf_counter() - t0)
    return model


def on_processor(model, x):
    model = model.to("cpu")
    start = time.time()
    model(x)
    return time.time() - start


def data_time(model, loader, meter):
    model.cuda()
    end = time.time()
    for batch in loader:
        meter.update(time.time() - end)
        model(batch.cuda(non_blocking=True))
        end = time.time()


def checked(model, optimizer, loader, check, clip, meter):
    model.cuda()
    for batch in loader:
        start = time.time()
        model(batch.cuda(non_blocking=True)).backward()
        check(model, clip)
        optimizer.step()
        optimizer.zero_grad()
        meter.update(time.time() - start)


def timeout(model, x, limit):
    deadline = time.time() + limit
    while time.time() < deadline:
        model(x.cuda())


@torch.no_grad()
def limited(model, batches, limit):
    begin = time.time()
    for batch in batches:
        model(batch.cuda())
        if time.time() - begin > limit:
            break
