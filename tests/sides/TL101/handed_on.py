"""Functions that communicate because of what they are handed: called under a test of the rank, or by all ranks."""

import functools

import torch.distributed as dist


def average(tensor):
    dist.all_reduce(tensor)
    return tensor / dist.get_world_size()


def halve(tensor):
    return tensor / 2


# -- a default ----------------------------------------------------------------------------------------------------------


def log_averaged(value, reduce=average):
    print(reduce(value))


def log_halved(value, reduce=halve):
    print(reduce(value))


def log_without_calling(value, reduce=average):
    print(value, reduce.__name__)


def default_that_communicates(value):
    if dist.get_rank() == 0:
        log_averaged(value)  # expect: TL101


def default_that_does_not(value):
    if dist.get_rank() == 0:
        log_halved(value)


def default_that_is_not_called(value):
    if dist.get_rank() == 0:
        log_without_calling(value)


def default_that_is_replaced(value):
    if dist.get_rank() == 0:
        log_averaged(value, halve)


# -- an argument --------------------------------------------------------------------------------------------------------


def apply(function, value):
    return function(value)


def apply_all(functions, value):
    for function in functions:
        value = function(value)
    return value


def apply_first(functions, value):
    return functions[0](value)


def name_of(function, value):
    return f"{function.__name__} of {value}"


def argument_that_communicates(value):
    if dist.get_rank() == 0:
        apply(average, value)  # expect: TL101


def argument_that_does_not(value):
    if dist.get_rank() == 0:
        apply(halve, value)


def argument_that_is_not_called(value):
    if dist.get_rank() == 0:
        print(name_of(average, value))


def collective_as_an_argument(value):
    if dist.get_rank() == 0:
        apply(dist.all_reduce, value)  # expect: TL101


def on_all_ranks(value):
    shown = apply(average, value)
    if dist.get_rank() == 0:
        print(shown)


def mapped(values):
    if dist.get_rank() == 0:
        print(list(map(average, values)))  # expect: TL101


def mapped_without(values):
    if dist.get_rank() == 0:
        print(list(map(halve, values)))


def reduced(values):
    if dist.get_rank() == 0:
        print(functools.reduce(lambda left, right: left + right, values))


# -- a list -------------------------------------------------------------------------------------------------------------


def in_a_list(value):
    if dist.get_rank() == 0:
        apply_all([halve, average], value)  # expect: TL101


def in_a_list_without(value):
    if dist.get_rank() == 0:
        apply_all([halve, halve], value)


def first_of_a_list(value):
    if dist.get_rank() == 0:
        apply_first([average, halve], value)  # expect: TL101


# -- kept ---------------------------------------------------------------------------------------------------------------


class Meter:
    def __init__(self, reduce):
        self.reduce = reduce
        self.total = 0.0

    def show(self):
        print(self.reduce(self.total))

    def reset(self):
        self.total = 0.0


class PlainMeter:
    def __init__(self, convert):
        self.convert = convert
        self.total = 0.0

    def show(self):
        print(self.convert(self.total))


def kept_and_called():
    meter = Meter(average)
    if dist.get_rank() == 0:
        meter.show()  # expect: TL101


def kept_and_not_called():
    meter = Meter(average)
    if dist.get_rank() == 0:
        meter.reset()


def kept_without():
    meter = PlainMeter(halve)
    if dist.get_rank() == 0:
        meter.show()


class Hooks:
    def __init__(self):
        self.hooks = []

    def add(self, hook):
        self.hooks.append(hook)

    def run(self, value):
        for hook in self.hooks:
            hook(value)

    def names(self):
        return [hook.__name__ for hook in self.hooks]


class QuietHooks:
    def __init__(self):
        self.quiet = []

    def add_quiet(self, hook):
        self.quiet.append(hook)

    def run_quiet(self, value):
        for hook in self.quiet:
            hook(value)


def registered_and_named():
    hooks = Hooks()
    hooks.add(average)
    if dist.get_rank() == 0:
        print(hooks.names())


def registered_without(value):
    hooks = QuietHooks()
    hooks.add_quiet(halve)
    if dist.get_rank() == 0:
        hooks.run_quiet(value)


# -- iterated -----------------------------------------------------------------------------------------------------------


class Averaged:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        for value in self.values:
            yield average(value)


class Halved:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        for value in self.values:
            yield halve(value)


def show_averaged(values):
    for value in Averaged(values):
        print(value)


def show_halved(values):
    for value in Halved(values):
        print(value)


def hold_averaged(values):
    holder = Averaged(values)
    while values:
        print(holder, values.pop())


def iterated(values):
    if dist.get_rank() == 0:
        show_averaged(values)  # expect: TL101


def iterated_without(values):
    if dist.get_rank() == 0:
        show_halved(values)


def held_and_not_iterated(values):
    if dist.get_rank() == 0:
        hold_averaged(values)
