"""Options of a loader that contradict each other: the constructor, or the first loop over the loader, raises an error.

Read in torch 2.13 (``DataLoader.__init__``, ``_SingleProcessDataLoaderIter``) and run there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.loaders.dataloaders import ITERABLE, Loader, Loaders, is_something, kind_of
from trainlint.ir.nodes import Const
from trainlint.ir.printer import name_in
from trainlint.program.heap import holds_none
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Instance, Library, LibraryObject, Value

#: Options that only a loader with workers can have; the one that is read when the loader is iterated.
_OF_WORKERS = ("prefetch_factor", "persistent_workers", "multiprocessing_context", "timeout")
_LATE = "timeout"
_TRUE = "persistent_workers"
#: Options that a batch sampler decides, with the value that says nothing.
_OF_BATCHES: dict[str, object] = {"batch_size": 1, "shuffle": None, "sampler": None, "drop_last": None}
_SAMPLERS = ("sampler", "batch_sampler")


class Conflict(NamedTuple):
    """Options of a loader that cannot stand together.

    ``options`` are those that cannot stand, ``against`` what they cannot stand with (an option, or ``iterable``). ``late``: the
    error comes when the loader is iterated. ``test`` is an expression that is true where they may stand, for a repair (None: none
    is needed, they may go); ``plain`` the options that a repair can take from the call. ``always`` is False where a sampler is
    there in some runs only.
    """

    loader: Loader
    options: tuple[str, ...]
    against: str
    late: bool = False
    always: bool = True
    test: str | None = None
    plain: tuple[str, ...] = ()


def without_workers(program: Program) -> Iterator[Conflict]:
    """Each loader that has options of workers and no workers, once for its call."""
    for loader in _distinct(program):
        if loader.workers() is not False:
            continue
        found = tuple(name for name in _OF_WORKERS if _is_on(loader, name))
        if found:
            test, plain = _cure(loader, found)
            yield Conflict(loader, found, "num_workers", found == (_LATE,), True, test, plain)


def _is_on(loader: Loader, name: str) -> bool:
    """Whether an option of workers is surely set to something that needs them."""
    if name not in (_TRUE, _LATE):
        return loader.is_set(name)
    found = loader.settled(name)
    return found.sure and bool(found.constants) and all(found.constants)


def _cure(loader: Loader, names: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """What a repair needs: the test for workers, where their number is not written in the call, and the options in the call."""
    call, function = loader.constructed.call, loader.constructed.frame.function
    if any(keyword is None for keyword, _ in call.kwargs):
        return None, ()
    count = loader.given("num_workers").term
    if count is None or isinstance(count, Const):
        return None, tuple(name for name in names if loader.keyword(name) is not None)
    text = name_in(count, function)
    plain = tuple(name for name in names if name == _TRUE and loader.keyword(name) is not None)
    return (f"{text} > 0", plain) if text is not None and plain == names else (None, ())


def _distinct(program: Program) -> Iterator[Loader]:
    """The loaders of a program that make something: not those of tests of software, where an error may be what is asked for."""
    for loader in program.ask(Loaders).all():
        if not tests_software(program, loader.module, loader.constructed.frame.function):
            yield loader


# -- samplers ----------------------------------------------------------------------------------------------------------


def of_samplers(program: Program) -> Iterator[Conflict]:
    """Each loader whose sampler, batch sampler or iterable dataset contradicts another option."""
    for loader in _distinct(program):
        found = _with_iterable(loader) or _with_batches(loader) or _with_sampler(loader)
        if found is not None:
            yield found


def _with_iterable(loader: Loader) -> Conflict | None:
    """An iterable dataset that is to be shuffled, or read in the order of a sampler."""
    data = loader.data()
    if not data or any(not _raises(loader.program, value) for value in data):
        return None
    found = tuple(name for name in _SAMPLERS if loader.is_set(name))
    if _shuffles(loader):
        found = ("shuffle", *found)
    if not found:
        return None
    plain = found if found == ("shuffle",) and loader.keyword("shuffle") is not None else ()
    return Conflict(loader, found, ITERABLE, plain=plain)


def _raises(program: Program, value: Value) -> bool:
    """Whether a dataset is iterable in the way that the loader objects to; pipes are told to shuffle instead."""
    if kind_of(program, value) != ITERABLE:
        return False
    pipes = program.knowledge.tables["loaders"]["pipes"]
    if isinstance(value, LibraryObject):
        return value.name not in pipes
    return isinstance(value, Instance) and not any(
        isinstance(each, Library) and each.name in pipes for each in program.lineage(ClassValue(value.module, value.cls))
    )


def _shuffles(loader: Loader) -> bool:
    found = loader.settled("shuffle")
    return found.sure and bool(found.constants) and all(found.constants)


def _with_batches(loader: Loader) -> Conflict | None:
    """A batch sampler, and an option that it decides."""
    if not _may_be(loader, "batch_sampler"):
        return None
    found = tuple(name for name in _OF_BATCHES if _says(loader, name))
    if not found:
        return None
    always = loader.is_set("batch_sampler")
    if not always and loader.tests():
        return None
    plain = found if always and all(loader.keyword(name) is not None for name in found) else ()
    return Conflict(loader, found, "batch_sampler", always=always, plain=plain)


def _says(loader: Loader, name: str) -> bool:
    """Whether an option is surely set to something that a batch sampler decides."""
    if name == "sampler":
        return loader.is_set(name)
    found = loader.settled(name)
    if not found.sure or not found.constants:
        return False
    if name == "batch_size":
        return all(each != 1 for each in found.constants)
    return all(found.constants)


def _with_sampler(loader: Loader) -> Conflict | None:
    """A sampler, in all runs or in some, and ``shuffle=True`` in all."""
    if not _shuffles(loader) or not _may_be(loader, "sampler"):
        return None
    always = loader.is_set("sampler")
    if not always and loader.tests():
        return None  # they may ask whether there is one
    shuffle = loader.keyword("shuffle")
    if shuffle is None or not isinstance(shuffle, Const):
        return Conflict(loader, ("shuffle",), "sampler", always=always)
    term = loader.given("sampler").term
    text = None if always or term is None else name_in(term, loader.constructed.frame.function)
    plain = ("shuffle",) if always or text is not None else ()
    return Conflict(loader, ("shuffle",), "sampler", always=always, test=None if text is None else f"{text} is None", plain=plain)


def _may_be(loader: Loader, name: str) -> bool:
    """Whether a sampler is surely there in some runs: every value is known to be one, or to be None."""
    given = loader.given(name)
    if not given.known or not given.values:
        return False
    there = [value for value in given.values if is_something(value)]
    nothing = [value for value in given.values if holds_none(value)]
    return bool(there) and len(there) + len(nothing) == len(given.values)
