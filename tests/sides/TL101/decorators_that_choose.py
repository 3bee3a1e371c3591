"""Decorators of the project: some let one rank in, some meet, some tell others that one rank runs alone."""

import functools

import torch.distributed as dist

ALONE = False


def first_only(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)
        return None

    return wrapper


def all_of_them(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("begin")
        return function(*args, **kwargs)

    return wrapper


def alone(function):
    """Says by a global that one rank runs alone: a barrier turns itself off by it."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        global ALONE
        if dist.get_rank() == 0:
            ALONE = True
            function(*args, **kwargs)
            ALONE = False

    return wrapper


class Alone:
    def __enter__(self):
        global ALONE
        ALONE = True

    def __exit__(self, *_):
        global ALONE
        ALONE = False


class Timer:
    def __enter__(self):
        self.began = True

    def __exit__(self, *_):
        self.began = False


def alone_within(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            with Alone():
                function(*args, **kwargs)

    return wrapper


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            with Timer():
                function(*args, **kwargs)

    return wrapper


def keeps_a_note(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls = 1
        if dist.get_rank() == 0:
            function(*args, **kwargs)

    return wrapper


def meets_after(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        found = function(*args, **kwargs)
        dist.barrier()
        return found

    return wrapper


def for_rank(number):
    def decorator(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if dist.get_rank() == number:
                return function(*args, **kwargs)
            return None

        return wrapper

    return decorator


def settle():
    if not ALONE:
        dist.barrier()


@first_only
def saves_alone(model):
    dist.barrier()  # expect: TL101


@all_of_them
def saves_together(model):
    dist.barrier()


@for_rank(1)
def saves_on_the_second(model):
    dist.barrier()  # expect: TL101


@timed
def saves_timed(model):
    dist.barrier()  # expect: TL101


@keeps_a_note
def saves_noted(model):
    dist.barrier()  # expect: TL101


@alone
def saves_quietly(model):
    settle()


@alone_within
def saves_within(model):
    settle()


@meets_after
def reports(model):
    print(model)


def report_of_one(model):
    if dist.get_rank() == 0:
        reports(model)  # expect: TL101


def report_of_all(model):
    reports(model)


def run(model):
    saves_alone(model)
    saves_together(model)
    saves_on_the_second(model)
    saves_timed(model)
    saves_noted(model)
    saves_quietly(model)
    saves_within(model)
