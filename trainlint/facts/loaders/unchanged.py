"""Datasets that are changed between epochs while a loader keeps its workers, which have copies of their own.

Run on torch 2.13: nothing that happens to a dataset after the first epoch began reaches workers that persist.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.contexts import activations
from trainlint.facts.loaders.inside import Inside
from trainlint.facts.loaders.made import Loader, Loaders
from trainlint.facts.loops import BatchLoop, EpochLoop, Loops
from trainlint.facts.naming import same
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, Instance, Made, Value
from trainlint.finding import Spot
from trainlint.ir.nodes import Access, Attr, Const, Self, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of, walk

_DATASET = "dataset"
_PERSISTS = "persistent_workers"


class Stale(NamedTuple):
    """A loader whose workers persist, and the statement in the loop over epochs that changes ``name`` of its dataset in vain."""

    loader: Loader
    module: str
    changed: Spot
    name: str
    read: tuple[str, Spot]


def stale(program: Program) -> Iterator[Stale]:
    """Each such loader, once."""
    asked = program.ask(Loops)
    persisting = [loader for loader in program.ask(Loaders).all() if _persists(loader)]
    if not persisting:
        return
    seen: set[tuple[str, Spot]] = set()
    for epoch, loader in _epochs(program, asked):
        key = (loader.module, loader.spot)
        if key in seen or not _persists(loader):
            continue
        found = _changed(program, epoch, loader)
        if found is not None:
            seen.add(key)
            yield found


def _persists(loader: Loader) -> bool:
    found = loader.settled(_PERSISTS)
    return found.sure and found.constants == (True,)


def _epochs(program: Program, asked: Loops) -> Iterator[tuple[EpochLoop, Loader]]:
    """The loops over epochs, with the loaders whose batches are read in them."""
    for found in asked.training_passes():
        for frame in activations(program, found.module, found.function):
            for made in asked.iterated(found.subject, frame):
                loader = program.ask(Loaders).of(made)
                epoch = asked.epoch_loop(BatchLoop(frame, found.subject, found.spot, found.around, made))
                if loader is not None and epoch is not None:
                    yield epoch, loader


def _changed(program: Program, epoch: EpochLoop, loader: Loader) -> Stale | None:
    for node in walk(epoch.loop.body):
        for data, names in _changes(program, node, epoch.frame, loader):
            for name in names:
                read = _read(program, data, name)
                if read is not None:
                    spot = node.spot if isinstance(node, Store) else node.term.site  # type: ignore[union-attr]
                    return Stale(loader, epoch.frame.module, spot, name, read)
    return None


def changes(program: Program, epoch: EpochLoop, loader: Loader) -> bool:
    """Whether something in a loop over epochs may change the loader's dataset: methods and attributes of it do."""
    for node in walk(epoch.loop.body):
        if any(True for _ in _changes(program, node, epoch.frame, loader)):
            return True
        changed = node.target if isinstance(node, Store) else node.term.callee if isinstance(node, CallStep) else None
        if changed is not None and isinstance(changed, Attr) and is_its_dataset(program, changed.base, epoch.frame, loader):
            return True
    return False


def is_its_dataset(program: Program, term: Term, frame: Frame, loader: Loader) -> bool:
    """Whether a term is the dataset of a loader, or a part of it: ``loader.dataset`` of any loader, or what it was given."""
    data = loader.data()
    while True:
        if (isinstance(term, Attr) and term.name == _DATASET) or any(value in data for value in program.values(term, frame)):
            return True
        if not isinstance(term, Access):
            return False
        term = term.base


def _changes(program: Program, node: object, frame: Frame, loader: Loader) -> Iterator[tuple[Instance, list[str]]]:
    """The dataset that a statement changes, and the attributes that get another value."""
    if isinstance(node, Store) and isinstance(node.target, Attr) and not isinstance(node.value, Const):
        for data in _datasets(program, node.target.base, frame, loader):
            yield data, [node.target.name]
    elif isinstance(node, CallStep) and isinstance(node.term.callee, Attr):
        for data in _datasets(program, node.term.callee.base, frame, loader):
            method = program.method(ClassValue(data.module, data.cls), node.term.callee.name)
            if method is not None:
                yield data, sorted(_stored(method[1]))


def _stored(method: Function) -> set[str]:
    """The attributes of its object that a method gives another value."""
    return {
        node.target.name
        for node in statements_of(method)
        if isinstance(node, (Store, Keep))
        and isinstance(node.target, Attr)
        and isinstance(node.target.base, Self)
        and not isinstance(node.value, Const)
    }


def _datasets(program: Program, term: Term, frame: Frame, loader: Loader) -> list[Instance]:
    """The dataset of the loader, if it is what a term stands for: itself, or ``loader.dataset``."""
    own = [each for each in program.ask(Inside).datasets(loader) if isinstance(each, Instance)]
    values: tuple[Value, ...] = program.values(term, frame)
    found = [each for each in own if any(same(value, each) for value in values)]
    if not found and isinstance(term, Attr) and term.name == _DATASET:
        owners = program.values(term.base, frame)
        if any(isinstance(owner, (Made, Instance)) and same(owner, loader.made) for owner in owners):
            return [each for each in own if each in loader.data()]
    return found


def _read(program: Program, data: Instance, name: str) -> tuple[str, Spot] | None:
    """Where what runs in a worker reads an attribute of the dataset; None when it does not, or gives it a value itself."""
    found = None
    for run in program.ask(Inside).reading(data):
        owner = run.frame.owner()
        if not isinstance(owner, Instance) or owner.cls is not data.cls:
            continue
        for node in statements_of(run.function):
            if isinstance(node, Store) and isinstance(node.target, Attr) and node.target.name == name:
                return None
            terms = (part for part in node if isinstance(part, Term))
            if found is None and any(_is_read(part, name) for term in terms for part in parts_of(term)):
                spot = node.term.site if isinstance(node, CallStep) else getattr(node, "spot", None)
                found = (run.frame.module, spot) if spot is not None else None
    return found


def _is_read(part: Term, name: str) -> bool:
    return bool(isinstance(part, Attr) and part.name == name and isinstance(part.base, Self))
