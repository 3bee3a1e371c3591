"""How long it takes to ask for the work is measured beside how long the work takes; or no call returns before it is done."""

import time

import torch


def launched_and_done(model, x):
    model.cuda()
    torch.cuda.synchronize()
    start = time.perf_counter()
    model(x)
    launched = time.perf_counter() - start
    torch.cuda.synchronize()
    return launched, time.perf_counter() - start


def many(model, x):
    model = model.to("cuda")
    torch.cuda.synchronize()
    t0 = time.perf_counter()
    for _ in range(100):
        model(x)
    t1 = time.perf_counter()
    torch.cuda.synchronize()
    t2 = time.perf_counter()
    print("queue", t1 - t0, "total", t2 - t0)


def waited(model, x, event):
    model = model.to("cuda")
    t0 = time.time()
    model(x)
    t1 = time.time()
    event.record()
    event.synchronize()
    print("host", t1 - t0, "waited", time.time() - t1)


def until_time_is_up(model, optimizer, batches, limit):
    model.cuda()
    start = time.time()
    for batch in batches:
        model(batch.cuda(non_blocking=True)).backward()
        optimizer.step()
        optimizer.zero_grad()
        if time.time() - start > limit:
            break


def with_a_total(model, optimizer, loader, epochs):
    model.cuda()
    for epoch in range(epochs):
        start = time.time()
        total = torch.zeros((), device="cuda")
        for batch in loader:
            optimizer.zero_grad()
            loss = model(batch.cuda(non_blocking=True))
            loss.backward()
            optimizer.step()
            total += loss.detach()
        seconds = time.time() - start
        print(epoch, total.item(), seconds)
