"""Keys that do not fit: read from a checkpoint that has none of that name, or saved with a state that nobody puts back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.checkpoints.reads import Read, Reads
from trainlint.facts.checkpoints.resumed import Resumption, Resumptions
from trainlint.facts.checkpoints.states import States
from trainlint.facts.checkpoints.written import Contents, Save, Written
from trainlint.facts.def_use import Uses
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.objects import Things, named
from trainlint.facts.values import Bound, Made
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Dict, Element, Ref, Subscript, Term, Unknown
from trainlint.ir.order import within
from trainlint.ir.sketch import Keep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

#: How many of the keys that a load reads a save must have to be the one that is meant.
_ENOUGH = 2
_STATEFUL = ("optimizer", "scheduler", "plateau", "scaler")


class Missing(NamedTuple):
    """A key that is read from what one of a program's own saves wrote, and that none of them has; ``like``: a key it has."""

    read: Read
    save: Save
    contents: Contents
    like: str | None

    @property
    def is_only_argument(self) -> bool:
        """Whether the item is all that the call is given in which it is first used."""
        found = [node.term for node in calls_of(self.read.function) if node.term.site == self.read.spot]
        return bool(found) and found[0].args == (self.read.term,) and not found[0].kwargs


class Unrestored(NamedTuple):
    """A state that is saved under a key that nobody reads, though training goes on from the file."""

    save: Save
    key: str
    kind: str
    bound: Bound
    spot: Spot
    resumption: Resumption


def missing(program: Program) -> Iterator[Missing]:
    """Each such key, where it is read without asking for it."""
    if not program.ask(Reads).all:
        return
    by_load: dict[Made, list[Read]] = {}
    for read in program.ask(Reads).all:
        by_load.setdefault(read.load, []).append(read)
    seen: set[Term] = set()
    for found in by_load.values():
        saves = _meant(program, found)
        if not saves or _converts(program, found[0], saves):
            continue
        for read in found:
            if not read.sure or read.term in seen or tests_software(program, read.module, read.function):
                continue
            if all(read.key not in contents.items for _, contents in saves) and not _is_written(program, read):
                seen.add(read.term)
                yield Missing(read, *saves[0], _nearest(read.key, saves[0][1]))


def _converts(program: Program, read: Read, saves: list[tuple[Save, Contents]]) -> bool:
    """Whether what reads a file writes another one itself: it makes checkpoints of its own of those of another program."""
    own = [save for save in program.ask(Written).saves if save.site.function is read.function]
    return bool(own) and all(save.site.function is not read.function for save, _ in saves)


def _meant(program: Program, found: list[Read]) -> list[tuple[Save, Contents]]:
    """The saves that a load may read; none where one of them may hold more than is known."""
    keys = {read.key for read in found}
    meant: list[tuple[Save, Contents]] = []
    for save in program.ask(Written).saves:
        if not program.together(save.site.module, found[0].module):
            continue
        for contents in program.ask(Written).contents(save):
            shared = keys & contents.items.keys()
            if len(shared) < _ENOUGH or not any(_is_of_training(program, contents, key) for key in shared):
                continue
            if not contents.whole:
                return []
            meant.append((save, contents))
    return meant


def _is_of_training(program: Program, contents: Contents, key: str) -> bool:
    """Whether what is under a key is of a training that goes on: a number, the state of an optimizer."""
    for bound in contents.items[key]:
        receiver = _state_of(program, bound.term)
        if receiver is None or program.ask(Things).of(receiver, bound.frame).kind in _STATEFUL:
            return True
    return False


def _state_of(program: Program, term: Term) -> Term | None:
    """What a state is taken of."""
    taking = program.ask(States).taking
    for part in parts_of(term):
        if isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in taking:
            return part.callee.base
    return None


def _is_written(program: Program, read: Read) -> bool:
    """Whether anybody around puts something under the key, whatever into."""
    return read.key in program.ask_of(_written_in, program.component(read.module))


def _written_in(program: Program, component: str) -> frozenset[str]:
    """The keys under which the files of a component put something."""
    return frozenset(key for path in program.modules if program.component(path) == component for key in _keys(program, path))


def _keys(program: Program, path: str) -> Iterator[str]:
    for term in program.ask(Uses).glance(path).of:
        if isinstance(term, Dict):
            yield from (key.value for key, _ in term.items if isinstance(key, Const) and isinstance(key.value, str))
        elif isinstance(term, Call):
            yield from (name for name, _ in term.kwargs if name is not None)
            if last_name(term.callee) in ("setdefault", "setattr") and term.args:
                yield from (each.value for each in term.args if isinstance(each, Const) and isinstance(each.value, str))
    for function in program.modules[path].functions.values():
        for node in of_kind(function, Keep):
            if (
                isinstance(node.target, Subscript)
                and isinstance(node.target.key, Const)
                and isinstance(node.target.key.value, str)
            ):
                yield node.target.key.value


def _nearest(key: str, contents: Contents) -> str | None:
    """The key that was probably meant."""
    import difflib

    return next(iter(difflib.get_close_matches(key, contents.items, 1, 0.7)), None)


def unrestored(program: Program) -> Iterator[Unrestored]:
    """Each such state, once."""
    seen: set[Spot] = set()
    for resumption in program.ask(Resumptions).found:
        if program.ask(Reads).is_open(resumption.load):
            continue
        for save in program.ask(Written).saves:
            if not any(
                frame.function is resumption.function and within(frame.function, resumption.loop, call)
                for frame, call in save.leading()
            ):
                continue
            for contents in program.ask(Written).contents(save):
                if resumption.key not in contents.items:
                    continue
                for found in _unread(program, save, contents, resumption):
                    if found.spot not in seen:
                        seen.add(found.spot)
                        yield found


def _unread(program: Program, save: Save, contents: Contents, resumption: Resumption) -> Iterator[Unrestored]:
    asked = {key for path, keys in program.ask(Reads).keys.items() if program.together(path, resumption.module) for key in keys}
    for key, values in contents.items.items():
        if key in asked or len(values) != 1:
            continue
        bound = values[0]
        receiver = _state_of(program, bound.term)
        if receiver is None or not isinstance(bound.term, Call):
            continue
        kind = program.ask(Things).of(receiver, bound.frame).kind
        if kind in _STATEFUL and not _is_restored(program, resumption, kind):
            yield Unrestored(save, key, "scheduler" if kind == "plateau" else kind, bound, bound.term.site, resumption)


def _is_restored(program: Program, resumption: Resumption, kind: str) -> bool:
    """Whether something of a kind, or something of which nobody knows the kind, is given a state somewhere around."""
    like = ("scheduler", "plateau") if kind in ("scheduler", "plateau") else (kind,)
    for name in program.knowledge.takes_weights:
        for site in program.ask(CallGraph).sites.get(name, ()):
            callee = site.call.term.callee
            if not isinstance(callee, Attr) or not program.together(site.module, resumption.module):
                continue
            thing = program.ask(Things).of(callee.base, program.frame(site.module, site.function))
            if thing.kind in like or named(program.knowledge, callee.base) in like:
                return True
            if thing.kind == "unknown" and _is_anything(callee.base):
                return True
    return False


def _is_anything(receiver: Term) -> bool:
    """Whether a receiver is one of several things: what a loop hands out, or is taken from a container."""
    return isinstance(receiver, (Element, Subscript, Unknown)) or (
        isinstance(receiver, Call) and isinstance(receiver.callee, Ref)
    )
