"""Home-made decorators and context managers that let only some ranks in; with arguments, as classes, methods, predicates."""

import contextlib
import functools
import os

import torch.distributed as dist


def leads():
    return int(os.environ.get("RANK", 0)) == 0


def only_on(rank):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if dist.get_rank() == rank:
                return function(*args, **kwargs)
            return None

        return wrapper

    return decorate


def when(predicate):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if predicate():
                return function(*args, **kwargs)

        return wrapper

    return decorate


def quietly(function=None, *, everybody=False):
    def decorate(inner):
        def wrapper(*args, **kwargs):
            if everybody or leads():
                return inner(*args, **kwargs)

        return wrapper

    return decorate(function) if function is not None else decorate


class OnlyFirst:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args, **kwargs):
        if dist.get_rank() == 0:
            return self.function(*args, **kwargs)


def main_only(method):
    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        if not self.is_main:
            return
        return method(self, *args, **kwargs)

    return wrapper


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        if leads():
            print("done")
        return result

    return wrapper


@only_on(0)
def on_the_first(tensor):
    dist.all_reduce(tensor)  # expect: TL101


@only_on(rank=1)
def on_the_second(tensor):
    dist.all_reduce(tensor)  # expect: TL101


@when(leads)
def when_leading(tensor):
    dist.all_reduce(tensor)  # expect: TL101


@quietly
def without_arguments(tensor):
    dist.all_reduce(tensor)  # expect: TL101


@OnlyFirst
def by_class(tensor):
    dist.all_reduce(tensor)  # expect: TL101


class Writer:
    def __init__(self):
        self.is_main = leads()

    @main_only
    def write(self, tensor):
        dist.all_reduce(tensor)  # expect: TL101

    @timed
    def write_together(self, tensor):
        dist.all_reduce(tensor)


@timed
def with_a_timer(tensor):
    dist.all_reduce(tensor)


@quietly(everybody=True)
def with_everybody(tensor):
    dist.all_reduce(tensor)


@contextlib.contextmanager
def first_goes_first():
    if not leads():
        dist.barrier()
    yield
    if leads():
        dist.barrier()


@contextlib.contextmanager
def first_goes_first_in_any_case():
    try:
        if not leads():
            dist.barrier()
        yield
    finally:
        if leads():
            dist.barrier()


@contextlib.contextmanager
def forgets_the_others():
    if leads():
        dist.barrier()  # expect: TL101
    yield


def in_turn(build):
    with first_goes_first():
        build()
    with first_goes_first_in_any_case():
        build()


def in_turn_and_back(build):
    with first_goes_first():
        if leads():
            build()
            return
        build()


def unevenly(build):
    with forgets_the_others():
        build()


def only_some_enter(build):
    if leads():
        with first_goes_first():  # expect: TL101
            build()
