"""Checkpoints that are written over the last one: whoever is stopped in a write has neither the old nor the new."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.facts import naming
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.checkpoints.names import Names, Shape, is_fixed
from trainlint.facts.checkpoints.reads import Reads
from trainlint.facts.checkpoints.states import States
from trainlint.facts.checkpoints.written import Contents, Save, Written
from trainlint.facts.files.operations import argument
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import Call, Const, Term
from trainlint.ir.order import before, loops_around
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of

#: Keys that a load and a save have in common if the one reads what the other wrote.
_ENOUGH = 2
#: What both paths and texts have.
_OF_TEXTS = "replace"
#: The arguments of a save that a repair can rewrite: what is saved, and where.
_PLAIN = 2


class Overwritten(NamedTuple):
    """A save in a loop to one and the same file, the only one; ``path`` is how the file is written there, if that is short.

    ``copied`` is a call in the files that lead to the save that copies some file: an older state of this one may survive there.
    """

    save: Save
    loop: tuple[str, Call]
    path: str | None
    library: str | None
    read: tuple[str, Call]
    copied: tuple[str, Call] | None


def overwritten(program: Program) -> Iterator[Overwritten]:
    """Each such save."""
    seen: set[Term] = set()
    for save in program.ask(Written).saves:
        call = save.site.call.term
        if call in seen or tests_software(program, save.site.module, save.site.function) or save.path is None:
            continue
        around = _training(program, save)
        tables = program.knowledge.tables
        if around is None or not _is_one_file(program, save) or _call_of(program, save, tables["checkpoints.moves"]["names"]):
            continue
        load = next(
            (found for contents in program.ask(Written).contents(save) if (found := _read_back(program, save, contents))), None
        )
        copied = _call_of(program, save, tables["checkpoints.copies"]["names"])
        if load is not None and _is_only_one(program, save) and not (copied is not None and _is_above(save, copied)):
            seen.add(call)
            yield Overwritten(
                save, around, *_cure(program, save), load, None if copied is None else (copied.module, copied.call.term)
            )


def _training(program: Program, save: Save) -> tuple[str, Call] | None:
    """The call of the save, or that leads to it, which stands in a loop that trains."""
    for frame, call in save.leading():
        node = next((each for each in calls_of(frame.function) if each.term is call), None)
        for loop in loops_around(frame.function, node) if node is not None else ():
            if program.ask(Loops).says(frame.module, frame.function, loop.body, program.knowledge.training):
                return frame.module, call
    return None


def _shapes(program: Program, save: Save) -> list[Shape]:
    return program.ask(Names).shapes(save.path, save.frame) if save.path is not None else []


def _is_one_file(program: Program, save: Save) -> bool:
    shapes = _shapes(program, save)
    return len(shapes) == 1 and is_fixed(shapes[0])


def _call_of(program: Program, save: Save, names_: Collection[str]) -> CallSite | None:
    """A call of one of some functions on files, in the files that lead to a save: the last checkpoint may be kept that way."""
    paths = {frame.module for frame, _ in save.leading()}
    for last in dict.fromkeys(name.rpartition(".")[2] for name in names_):
        for site in program.ask(CallGraph).sites.get(last, ()):
            if site.module not in paths:
                continue
            dotted = dotted_name(site.call.term.callee)
            known = dotted is not None and program.knowledge.canonical(dotted) in names_
            # Of a path, or of a library of paths; a text's own method has two arguments.
            if known or last != _OF_TEXTS or (dotted is None and len(site.call.term.args) == 1):
                return site
    return None


def _is_above(save: Save, copied: CallSite) -> bool:
    """Whether a copy is made before the save: of the file that is there still."""
    return any(
        frame.function is copied.function and before(frame.function, copied.call.term, call) for frame, call in save.leading()
    )


def _read_back(program: Program, save: Save, contents: Contents) -> tuple[str, Call] | None:
    """The load that reads what the save writes, of a training: with an optimizer or a number among what it reads."""
    if not any(_is_optimizer(program, bound.term) for values in contents.items.values() for bound in values):
        return None
    by_load: dict[tuple[str, Call], set[str]] = {}
    same: set[tuple[str, Call]] = set()
    own = set(_shapes(program, save))
    near = {frame.module for frame, _ in save.leading()}
    for read in program.ask(Reads).all:
        if read.load.call is not None and read.load.frame is not None and program.together(read.module, save.site.module):
            if near.isdisjoint(_places(program, read.load.frame)):
                continue
            load = (read.load.frame.module, read.load.call)
            by_load.setdefault(load, set()).add(read.key)
            path = argument(read.load.call, "0", "f")
            if path is not None and own == set(program.ask(Names).shapes(path, read.load.frame)):
                same.add(load)
    # A load of this very file says whether training goes on from it; if there is none, any may be one.
    fitting = {load: keys for load, keys in by_load.items() if load in same} or by_load
    return next((load for load, keys in fitting.items() if len(keys & contents.items.keys()) >= _ENOUGH), None)


def _places(program: Program, frame: Frame) -> set[str]:
    """The files in which something is loaded, and those that call the function in which it is."""
    return {frame.module, *(site.module for site in program.ask(CallGraph).callers(frame.function))}


def _is_optimizer(program: Program, term: Term) -> bool:
    taken = {state.site.call.term for state in program.ask(States).saved}
    return any(part in taken for part in parts_of(term))


def _is_only_one(program: Program, save: Save) -> bool:
    """Whether no other file is written in the functions that lead to the save: no second copy survives."""
    leading = {id(frame.function) for frame, _ in save.leading()}
    own = set(_shapes(program, save))
    for other in program.ask(Written).saves:
        if not any(id(frame.function) in leading for frame, _ in other.leading()):
            continue
        if other.site.call.term is not save.site.call.term or not own.issuperset(_shapes(program, other)):
            return False
    return True


def _cure(program: Program, save: Save) -> tuple[str | None, str | None]:
    """How the path is written at the save, as a text to be put into an f-string, and what ``os.replace`` is called there."""
    call, function = save.site.call.term, save.site.function
    library = naming.reference("os.replace", program.modules[save.site.module])
    if len(call.args) != _PLAIN or call.kwargs or save.path is None:
        return None, None
    return _spelled(save.path, function), library


def _spelled(path: Term, function: Function) -> str | None:
    if (
        isinstance(path, Const)
        and isinstance(path.value, str)
        and path.value.isprintable()
        and "{" not in path.value
        and '"' not in path.value
    ):
        return f'"{path.value}"'
    return name_in(path, function)
