"""Runs the programs of a seed on things that stand for anything, and writes down what happens to these.

Every import but some of the standard library, and every argument, is a :class:`Fake`: it can be called, indexed, iterated,
calculated with and entered, and what comes of that is another one, named after what was done. Two programs that do the same leave
the same events.
"""

from __future__ import annotations

import ast
import dis
import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from tests.metamorphic.running import World

ROUNDS = {"epochs": 3, "length": 3}
"""Parameters that are numbers, since loops are counted with them."""

_LOOP = 2
_LONGEST = 60
_MOST = 10_000
_CALCULATES = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
_ASKS = "lt le gt ge eq ne"


class Events:
    """What happened, in order; and how often something of the same name was made, which tells one from the other."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.made: Counter[str] = Counter()
        self.base = type("Base", (Base,), {"events_": self})

    def note(self, text: str) -> None:
        """Write something down. Raises RuntimeError for a program that does not end."""
        if len(self.lines) == _MOST:
            raise RuntimeError("this goes on and on")
        self.lines.append(text)

    def result(self, text: str) -> str:
        """Write down what makes something, and name that."""
        self.made[text] += 1
        self.note(text)
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}~{hash(text):x}"
        return f"<{short}>{self.made[text]}"


class Fake:
    """A thing that stands for anything. What has the functions ``over`` in it calls the first of them when it is called."""

    events_: Events
    name_: str
    over_: tuple[Callable[..., Any], ...]

    def __init__(self, events: Events, name: str, over: tuple[Callable[..., Any], ...] = ()) -> None:
        self.__dict__.update(events_=events, name_=name, over_=over)

    def __getattr__(self, name: str) -> Fake:
        if name.startswith("__"):
            raise AttributeError(name)
        child = Fake(self.events_, f"{self.name_}.{name}")
        self.__dict__[name] = child
        return child

    def __setattr__(self, name: str, value: object) -> None:
        self.events_.note(f"{self.name_}.{name} = {shown(value)}")
        self.__dict__[name] = value

    def __call__(self, *args: object, **kwargs: object) -> Any:
        given = [*map(shown, args), *(f"{key}={shown(value)}" for key, value in kwargs.items())]
        made = self.events_.result(f"{self.name_}({', '.join(given)})")
        if self.over_:
            inside = self.over_[0](*args, **kwargs)
            return inside if isinstance(inside, Fake) and inside.over_ else Fake(self.events_, f"{made}{shown(inside)[:20]}")
        handed = [*args, *kwargs.values()]
        return Fake(self.events_, made, tuple(each for each in handed if isinstance(each, _OWN)))

    def __get__(self, instance: object, _: type) -> Any:
        if instance is None or not self.over_:
            return self
        return Fake(self.events_, self.name_, tuple(MethodType(each, instance) for each in self.over_))

    def __mro_entries__(self, _: object) -> tuple[type, ...]:
        return (self.events_.base,)

    def __iter__(self) -> Iterator[Fake]:
        return iter([Fake(self.events_, f"{self.name_}[{number}]") for number in range(_wanted(sys._getframe(1)))])

    def __getitem__(self, key: object) -> Fake:
        return Fake(self.events_, f"{self.name_}[{shown(key)}]")

    def __setitem__(self, key: object, value: object) -> None:
        self.events_.note(f"{self.name_}[{shown(key)}] = {shown(value)}")

    def keys(self) -> list[str]:
        return ["inputs"]

    def __enter__(self) -> object:
        self.events_.note(f"enter {self.name_}")
        return Fake(self.events_, f"{self.name_} entered")

    def __exit__(self, *_: object) -> None:
        self.events_.note(f"exit {self.name_}")

    def __len__(self) -> int:
        return _LOOP

    def __index__(self) -> int:
        return 0 if "rank" in self.name_ else _LOOP + 1 if "epochs" in self.name_ else 1

    __int__ = __index__

    def __float__(self) -> float:
        self.events_.note(f"float {self.name_}")
        return 1.0

    def __bool__(self) -> bool:
        return True

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return self.name_

    def __format__(self, _: str) -> str:
        return self.name_

    def __fspath__(self) -> str:
        return self.name_

    def _calculated(self, sign: str, other: object) -> Fake:
        return Fake(self.events_, self.events_.result(f"{self.name_} {sign} {shown(other)}"))

    def __neg__(self) -> Fake:
        return Fake(self.events_, self.events_.result(f"-{self.name_}"))

    __invert__ = __neg__


def _operator(sign: str) -> Callable[[Fake, object], Fake]:
    return lambda self, other: self._calculated(sign, other)


for _name in _CALCULATES.split():
    setattr(Fake, f"__{_name}__", _operator(_name))
    setattr(Fake, f"__r{_name}__", _operator(f"r{_name}"))
for _name in _ASKS.split():
    setattr(Fake, f"__{_name}__", _operator(_name))


def _wanted(frame: Any) -> int:
    """How many items are asked for where a frame is: as many as it unpacks, or those of a loop."""
    code, at = frame.f_code.co_code, frame.f_lasti
    name = dis.opname[code[at]]
    if name == "UNPACK_SEQUENCE":
        return int(code[at + 1])
    return int(code[at + 1] & 0xFF) + 1 if name == "UNPACK_EX" else _LOOP


class Base:
    """What classes of a program that are derived from a fake are derived from instead."""

    events_: Events

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.events_.note(f"made {type(self).__name__}({', '.join(map(shown, [*args, *kwargs.values()]))})")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("to", "cuda", "eval", "train"):
            return functools.partial(self._moved, name)
        return Fake(self.events_, f"{type(self).__name__}.{name}")

    def _moved(self, name: str, *args: object) -> Base:
        self.events_.note(f"{name}{shown(args)}")
        return self

    def __call__(self, *args: object, **kwargs: object) -> Any:
        self.events_.note(f"called with {', '.join(map(shown, [*args, *kwargs.values()]))}")
        return self.forward(*args)


_OWN = (FunctionType, MethodType, functools.partial, Base)


def shown(value: object) -> str:
    """A value as it is written down: without anything that says in which way it was made."""
    if isinstance(value, list | tuple | set):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{shown(key)}: {shown(each)}' for key, each in value.items())}}}"
    if isinstance(value, Fake | str | int | float | type(None)):
        return repr(value)
    if isinstance(value, FunctionType | MethodType):
        return "a function"
    return type(value).__name__


class Entry(NamedTuple):
    """A function of a file, or a method of a class (``holder``): the parameters that it must be given, and those of the class."""

    holder: str
    name: str
    params: list[str]
    begin: list[str]


def run(files: Mapping[str, str], main: str, entries: Iterable[Entry]) -> list[str]:
    """The events of a program: of running its file ``main``, then of each entry."""
    events = Events()
    fakes: dict[str, Fake] = {}
    names = {name: Fake(events, name) for name in ("print", "open")}
    module = World(files, lambda name: fakes.setdefault(name, Fake(events, name)), names).module(main.removesuffix(".py"))
    for entry in entries:
        events.note(f"---- {entry.holder} {entry.name}")
        arguments = [ROUNDS.get(each) or Fake(events, each) for each in entry.params]
        if not entry.holder:
            getattr(module, entry.name)(*arguments)
            continue
        thing = getattr(module, entry.holder)(*(Fake(events, each) for each in entry.begin))
        if entry.name != "__init__":
            getattr(type(thing), entry.name).__get__(thing, type(thing))(*arguments)
    return events.lines


def entries_of(text: str) -> list[Entry]:
    """All functions of a file and methods of its classes."""
    found = []
    for each in ast.parse(text).body:
        if isinstance(each, ast.FunctionDef):
            found.append(Entry("", each.name, _required(each), []))
        elif isinstance(each, ast.ClassDef):
            methods = [one for one in each.body if isinstance(one, ast.FunctionDef)]
            begin = next((_required(one)[1:] for one in methods if one.name == "__init__"), [])
            found += [Entry(each.name, one.name, _required(one)[1:], begin) for one in methods]
    return found


def _required(function: ast.FunctionDef) -> list[str]:
    args = function.args.args
    return [each.arg for each in args[: len(args) - len(function.args.defaults)]]
