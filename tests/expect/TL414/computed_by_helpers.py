"""What is put under a root is computed by a function beside, with and without something that keeps it from 0."""

import asyncio
import copy
import dataclasses
from concurrent.futures import ThreadPoolExecutor

import torch


def squared_distances(points, centers):
    return ((points - centers) ** 2).sum(dim=-1)


def smooth_distances(points, centers):
    return ((points - centers) ** 2).sum(dim=-1) + 1e-8


def pull(points, centers):
    return torch.sqrt(squared_distances(points, centers)).mean()  # expect: TL414


def smooth_pull(points, centers):
    return torch.sqrt(smooth_distances(points, centers)).mean()


class Settings:
    """Makes attributes of the items of a dict, of a dict in it settings again."""

    def __init__(self, options):
        for name, each in options.items():
            setattr(self, name, Settings(each) if isinstance(each, dict) else each)


class Items(dict):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.__dict__ = self


@dataclasses.dataclass
class Record:
    squares: object
    step: int = 0

    @classmethod
    def of(cls, options):
        names = {each.name for each in dataclasses.fields(cls)}
        return cls(**{name: each for name, each in options.items() if name in names})


class Held:
    def __init__(self, squares):
        self.squares = squares

    def __iter__(self):
        yield self.squares
        yield 0

    def again(self):
        return type(self)(self.squares)

    def make_squares(self):
        return self.squares


class Wrapped:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.inner, name)


class Grouped:
    def __init__(self):
        self.others = {}

    def put(self, name, squares):
        self.others.setdefault(name, []).append(squares)

    def other(self, name):
        return self.others[name][0]


def taking(squares=None, step=None):
    return squares


def adding(given, **options):
    options.setdefault("step", 0)
    options["squares"] = given
    return taking(**options)


def runs(function, *args):
    return function(*args)


def root(squares):
    return torch.sqrt(squares).mean()  # expect: TL414


def root_of_smooth(squares):
    return torch.sqrt(squares).mean()


async def later(squares):
    return squares


def pulls(points, centers):
    squares = squared_distances(points, centers)
    first, _ = Held(squares)
    grouped = Grouped()
    grouped.put("a", squares)
    yield torch.sqrt(Settings({"inner": {"squares": squares}}).inner.squares).mean()  # expect: TL414
    yield torch.sqrt(Items(squares=squares).squares).mean()  # expect: TL414
    yield torch.sqrt(Record.of({"squares": squares}).squares).mean()  # expect: TL414
    yield torch.sqrt(Held(squares).again().squares).mean()  # expect: TL414
    yield torch.sqrt(copy.copy(Held(squares)).squares).mean()  # expect: TL414
    yield torch.sqrt(list(Held(squares))[0]).mean()  # expect: TL414
    yield torch.sqrt(first).mean()  # expect: TL414
    yield torch.sqrt(getattr(Held(squares), f"make_{'squares'}")()).mean()  # expect: TL414
    yield torch.sqrt(Wrapped(Held(squares)).squares).mean()  # expect: TL414
    yield torch.sqrt(grouped.other("a")).mean()  # expect: TL414
    yield torch.sqrt(adding(squares)).mean()  # expect: TL414
    yield torch.sqrt(ThreadPoolExecutor(1).submit(taking, squares).result()).mean()  # expect: TL414
    yield torch.sqrt(asyncio.run(later(squares))).mean()  # expect: TL414
    yield runs(root, squares)


def smooth_pulls(points, centers):
    squares = smooth_distances(points, centers)
    first, _ = Held(squares)
    grouped = Grouped()
    grouped.put("a", squares)
    yield torch.sqrt(Settings({"inner": {"squares": squares}}).inner.squares).mean()
    yield torch.sqrt(Items(squares=squares).squares).mean()
    yield torch.sqrt(Record.of({"squares": squares}).squares).mean()
    yield torch.sqrt(Held(squares).again().squares).mean()
    yield torch.sqrt(copy.copy(Held(squares)).squares).mean()
    yield torch.sqrt(list(Held(squares))[0]).mean()
    yield torch.sqrt(first).mean()
    yield torch.sqrt(getattr(Held(squares), f"make_{'squares'}")()).mean()
    yield torch.sqrt(Wrapped(Held(squares)).squares).mean()
    yield torch.sqrt(grouped.other("a")).mean()
    yield torch.sqrt(adding(squares)).mean()
    yield torch.sqrt(ThreadPoolExecutor(1).submit(taking, squares).result()).mean()
    yield torch.sqrt(asyncio.run(later(squares))).mean()
    yield runs(root_of_smooth, squares)
