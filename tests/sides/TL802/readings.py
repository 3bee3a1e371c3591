"""How the clock is read, subtracted and carried over."""

import time
from contextlib import contextmanager

import torch


def now():
    return time.perf_counter()


def milliseconds():
    return time.perf_counter() * 1000


def seconds_since(begin):
    return time.perf_counter() - begin


def by_a_helper(model, x):
    model.cuda()
    start = now()
    model(x)
    return now() - start  # expect: TL802


def by_a_helper_with_a_unit(model, x):
    model.cuda()
    start = milliseconds()
    model(x)
    return milliseconds() - start  # expect: TL802


def by_a_clock_that_is_handed(model, x, clock):
    model.cuda()
    start = clock()
    model(x)
    return clock() - start


def from_the_first_of_two(model, x, warm):
    model.cuda()
    if warm:
        start = time.time()
    else:
        print("not warm")
        start = time.time()
    model(x)
    return time.time() - start  # expect: TL802


def in_a_text(model, x):
    model.cuda()
    start = time.time()
    model(x)
    print(f"it took {time.time() - start:.2f} s")  # expect: TL802


def a_number_is_subtracted(model, x):
    model.cuda()
    start = time.time()
    model(x)
    return time.time() - 5 if start else 0


def carried_over(model, loader, meter):
    model.cuda()
    end = time.time()
    for x in loader:
        model(x)
        meter.update(time.time() - end)  # expect: TL802
        end = time.time()


def a_whole_pass(model, loader):
    model.cuda()
    start = time.time()
    for x in loader:
        model(x)
    return time.time() - start


def the_same_batch_again_and_again(model, x, rounds):
    model.cuda()
    start = time.time()
    for _ in range(rounds):
        model(x)
    return (time.time() - start) / rounds  # expect: TL802


def other_batches_each_time(model, batches, rounds):
    model.cuda()
    start = time.time()
    for _ in range(rounds):
        model(next(batches))
    return (time.time() - start) / rounds


def backward_in_each_round(model, loader, meter):
    model.cuda()
    for x in loader:
        start = time.time()
        model(x.cuda(non_blocking=True)).mean().backward()
        meter.update(time.time() - start)  # expect: TL802


def copies_and_trains_in_each_round(model, loader, meter):
    model.cuda()
    for x in loader:
        start = time.time()
        model(x.cuda()).mean().backward()
        meter.update(time.time() - start)


def waits_now_and_then(model, loader, meter):
    model.cuda()
    for i, x in enumerate(loader):
        start = time.time()
        out = model(x.cuda(non_blocking=True))
        if i % 100 == 0:
            print(out.mean().item())
        meter.update(time.time() - start)  # expect: TL802


def waits_in_every_round(model, loader, meter):
    model.cuda()
    for x in loader:
        start = time.time()
        out = model(x.cuda(non_blocking=True))
        print(out.mean().item())
        meter.update(time.time() - start)


def started_in_another_loop(model, loader, meter):
    model.cuda()
    for _ in range(10):
        start = time.time()
        for x in loader:
            model(x)
            meter.update(time.time() - start)


@contextmanager
def timed(name):
    start = time.perf_counter()
    yield
    print(name, time.perf_counter() - start)


@contextmanager
def timed_in_two_ways(name, quick):
    start = time.perf_counter()
    if quick:
        yield 0
    else:
        yield 1
    print(name, time.perf_counter() - start)


@contextmanager
def timed_when_all_is_done(name):
    start = time.perf_counter()
    yield
    torch.cuda.synchronize()
    print(name, time.perf_counter() - start)


@contextmanager
def timed_before(name):
    start = time.perf_counter()
    print(name, time.perf_counter() - start)
    yield


class Stopwatch:
    def __enter__(self):
        self.begin = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.took = time.perf_counter() - self.begin


class Announcement:
    def __enter__(self):
        print("begins", time.perf_counter())
        return self

    def __exit__(self, *error):
        print("ends", time.perf_counter())


class HalfAWatch:
    def __enter__(self):
        self.begin = time.perf_counter()
        return self

    def took(self):
        return time.perf_counter() - self.begin


def in_a_block(model, x):
    model.cuda()
    with timed("forward"):  # expect: TL802
        model(x)


def in_a_block_that_waits(model, x):
    model.cuda()
    with timed_when_all_is_done("forward"):
        model(x)


def in_a_block_of_two_ways(model, x):
    model.cuda()
    with timed_in_two_ways("forward", True):
        model(x)


def in_a_block_behind_it(model, x):
    model.cuda()
    with timed_before("forward"):
        model(x)


def in_a_block_of_a_class(model, x):
    model.cuda()
    with Stopwatch():  # expect: TL802
        model(x)


def in_a_block_that_only_tells(model, x):
    model.cuda()
    with Announcement():
        model(x)


def in_a_block_that_waits_itself(model, x):
    model.cuda()
    with Stopwatch():
        out = model(x)
        print(out.sum().item())


class Timer:
    def __init__(self):
        self.begin, self.total = 0.0, 0.0

    def tic(self):
        self.begin = time.time()

    def toc(self):
        self.total += time.time() - self.begin


def by_an_object(model, x):
    model.cuda()
    timer = Timer()
    timer.tic()
    model(x)
    timer.toc()  # expect: TL802
    return timer.total


def by_an_object_with_a_pass_in_a_loop(model, loader):
    model.cuda()
    timer = Timer()
    timer.tic()
    for x in loader:
        model(x)
    timer.toc()
    return timer.total


def stopped_in_the_loop(model, loader):
    model.cuda()
    timer = Timer()
    timer.tic()
    for x in loader:
        model(x)
        timer.toc()
    return timer.total


def by_two_objects(model, x):
    model.cuda()
    data, forward = Timer(), Timer()
    data.tic()
    model(x)
    forward.toc()
