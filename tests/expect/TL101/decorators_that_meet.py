"""Decorators that communicate in their wrapper: what they decorate is a collective, wherever it is called."""

import functools

import torch.distributed as dist


def synced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        dist.barrier()
        return result

    return wrapper


def synced_if(wait=True):
    def decorate(function):
        def wrapper(*args, **kwargs):
            if wait:
                dist.barrier()
            return function(*args, **kwargs)

        return wrapper

    return decorate


def averaged(function):
    def wrapper(self, *args):
        value = function(self, *args)
        return meet(value)

    return wrapper


def meet(value):
    dist.all_reduce(value)
    return value


def first_then_all(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            function(*args, **kwargs)
        dist.barrier()

    return wrapper


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print(function.__name__)
        return function(*args, **kwargs)

    return wrapper


@synced
def save(path, state):
    path.write_bytes(state)


@synced_if(wait=True)
def load(path):
    return path.read_bytes()


@synced_if(wait=False)
def glance(path):
    return path.read_bytes()


@first_then_all
def download(url):
    url.fetch()


@first_then_all
def download_and_meet(url):
    url.fetch()
    dist.barrier()  # expect: TL101


@logged
def show(path):
    print(path)


@logged
@synced
def save_and_log(path):
    path.touch()


class Meter:
    @averaged
    def loss(self, value):
        return value * 2

    @logged
    def last(self, value):
        return value


def saves(path, state):
    if dist.get_rank() == 0:
        save(path, state)  # expect: TL101


def loads(path):
    if dist.get_rank() == 0:
        load(path)  # expect: TL101


def glances(path):
    if dist.get_rank() == 0:
        glance(path)


def downloads(url):
    if dist.get_rank() == 0:
        download(url)  # expect: TL101


def measures(value):
    meter = Meter()
    if dist.get_rank() == 0:
        print(meter.loss(value))  # expect: TL101


def saves_and_logs(path):
    if dist.get_rank() == 0:
        save_and_log(path)  # expect: TL101


def everybody_saves(path, state):
    save(path, state)
    download(path)


def first_shows(path, value):
    meter = Meter()
    if dist.get_rank() == 0:
        show(path)
        print(meter.last(value))


def applied_by_hand(path, write):
    write_together = synced(write)
    if dist.get_rank() == 0:
        write_together(path)  # expect: TL101
