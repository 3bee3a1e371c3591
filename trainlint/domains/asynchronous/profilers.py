"""Profilers that record a whole training: nothing says when they begin and end, and nobody asked for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Slice, Term
from trainlint.ir.order import in_block, loops_around
from trainlint.ir.sketch import Block, CallStep, Exit, Try, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import behind, of_kind, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.def_use import Uses
from trainlint.program.enclosing import opened_by
from trainlint.program.guards import is_opted_in
from trainlint.program.leading import Leading
from trainlint.program.loops import Loops, Pass
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject, Unresolved

_PROFILER = "profiler"
_EPOCHS = ("max_epochs", 1)
_LEAVES = ("break", "return", "exit")
_TRAINS = "fit"


class Profiled(NamedTuple):
    """A call that makes a profiler, the loop whose every round it records (None: that of a trainer), and its library's name."""

    site: CallSite
    library: str
    module: str
    loop: Spot | None


def whole_runs(program: Program) -> Iterator[Profiled]:
    """Each profiler that is open in all rounds of a training loop."""
    table = program.knowledge.tables["profilers"]
    for site, library in _made(program, set(table)):
        if _records_all(program, site, library, table[library]):
            found = _loop(program, site)
            if found is not None:
                yield Profiled(site, library, found.module, found.spot)
    yield from _of_trainers(program)


def _made(program: Program, names: set[str]) -> Iterator[tuple[CallSite, str]]:
    """The calls of these functions and classes that nobody asked for."""
    index = program.ask(CallGraph)
    for name in sorted({dotted.rpartition(".")[2] for dotted in names}):
        for site in index.sites.get(name, ()):
            targets = index.targets(site.call.term, program.frame(site.module, site.function))
            libraries = [target.name for target in targets if isinstance(target, Library)]
            if len(libraries) != 1 or len(targets) != 1 or libraries[0] not in names:
                continue
            trains = program.knowledge.kinds.get(libraries[0]) == "trainer"
            if not tests_software(program, site.module, site.function) and not is_opted_in(program, site, trains=trains):
                yield site, libraries[0]


def _records_all(program: Program, site: CallSite, library: str, schedule: str) -> bool:
    """Whether a profiler is on, and is not told for which steps."""
    frame, asked = program.frame(site.module, site.function), program.ask(Options)
    for switch in program.knowledge.tables["profilers.switches"]["names"]:
        on = asked.given(site.call.term, frame, switch, library)
        if not on.absent and asked.settled(on).constants != (True,):
            return False
    told = asked.given(site.call.term, frame, schedule, library)
    return not schedule or told.absent


# -- what is recorded -----------------------------------------------------------------------------------------------------


def _loop(program: Program, site: CallSite) -> Pass | None:
    """The training loop all of whose rounds are recorded."""
    passes = [found for found in program.ask(Loops).training_passes() if _is_whole(program, found)]
    for opening, block in _recorded(program, site.call.term) if passes else ():
        path, function = opening.module, opening.function
        if function is not site.function and is_opted_in(program, opening):
            continue
        inside = _functions(program, opening, block)
        for found in passes:
            if id(found.function) in inside or (found.function is function and in_block(function, block, found.spot)):
                return found
        if program.ask(Loops).says(path, function, block, program.knowledge.training):
            around = loops_around(function, opening.call)
            for found in passes:
                if found.function is function and any(loop.spot == found.spot for loop in around):
                    return found
    return None


def _recorded(program: Program, profiler: Call) -> Iterator[tuple[CallSite, Block]]:
    """What runs while a profiler is open: the block of a ``with``, or all between the calls that begin and end it.

    Each with a call there: the one that begins it, or the first of the block.
    """
    opens = program.knowledge.tables["profilers.opens"]
    for path, function in program.functions():
        frame = program.frame(path, function)
        for node in of_kind(function, With):
            if any(_opens(program, item, frame, profiler) for item in node.items):
                first = next((each for each in walk(node.body) if isinstance(each, CallStep)), None)
                if first is not None:
                    yield CallSite(path, function, first), node.body
        for call in of_kind(function, CallStep):
            callee = call.term.callee
            if isinstance(callee, Attr) and callee.name in opens and _is_made_by(program, callee.base, frame, profiler):
                yield CallSite(path, function, call), _until(behind(function.body, call), callee.base, opens[callee.name])


def _opens(program: Program, manager: Term, frame: Context, profiler: Call) -> bool:
    """Whether a manager is the profiler, or opens it for its block."""
    values = program.values(manager, frame)
    inside = (each for value in values for each in opened_by(program, value))
    return _is_made_by(program, manager, frame, profiler) or any(
        each.surely and _opens(program, each.manager, each.frame, profiler) for each in inside
    )


def _is_made_by(program: Program, term: Term, frame: Context, call: Call) -> bool:
    """Whether something is what a call has made."""
    return term is call or any(isinstance(value, LibraryObject) and value.call is call for value in program.values(term, frame))


def _until(block: Block, term: Term, ends: str) -> Block:
    """The part of a block before a profiler is ended; nothing where that happens within a loop or under a test."""
    for index, node in enumerate(block):
        if not _ends((node,), term, ends):
            continue
        if isinstance(node, Try) and _ends(node.final, term, ends):
            return (*block[:index], *_until(node.body, term, ends))
        return block[:index] if isinstance(node, CallStep) else ()
    return block


def _ends(block: Block, term: Term, ends: str) -> bool:
    """Whether a profiler is ended in a block."""
    return any(isinstance(each, CallStep) and _is_method(each.term, term, ends) for each in walk(block))


def _is_method(call: Call, receiver: Term, name: str) -> bool:
    """Whether a call is one of this method of this object."""
    return isinstance(call.callee, Attr) and call.callee.base is receiver and call.callee.name == name


def _functions(program: Program, site: CallSite, block: Block) -> set[int]:
    """The functions that a block runs (by their ids), as far as they may lead to training."""
    index, leading = program.ask(CallGraph), program.ask(Leading).by_name(program.knowledge.training).names
    found: set[int] = set()
    pending: list[tuple[Block, Context]] = [(block, program.frame(site.module, site.function))]
    while pending:
        inner, frame = pending.pop()
        for node in walk(inner):
            if not isinstance(node, CallStep) or (last_name(node.term.callee) or "") not in leading:
                continue
            for target in index.targets(node.term, frame):
                if isinstance(target, FunctionValue) and id(target.function) not in found:
                    found.add(id(target.function))
                    pending.append((target.function.body, program.enter(target, node.term, frame)))
    return found


def _is_whole(program: Program, found: Pass) -> bool:
    """Whether a loop goes over data, and over all of it: nothing counts the rounds, nothing leaves it early."""
    bounds = program.knowledge.tables["profilers.bounds"]["names"]
    frame = program.frame(found.module, found.function)
    for part in parts_of(found.subject):
        if isinstance(part, Slice) or (isinstance(part, Call) and program.may_be_one_of(part.callee, frame, bounds)):
            return False
    return not any(isinstance(node, Exit) and node.kind in _LEAVES and node.error is None for node in walk(found.body))


# -- trainers -------------------------------------------------------------------------------------------------------------


def _of_trainers(program: Program) -> Iterator[Profiled]:
    """Trainers of a library that are told to record each function."""
    tables, asked = program.knowledge.tables, program.ask(Options)
    words, short = tables["profilers.of_trainers"]["names"], tables["profilers.short"]["names"]
    trainers = {name for name, kind in program.knowledge.kinds.items() if kind == "trainer"}
    for site, library in _made(program, trainers):
        frame = program.frame(site.module, site.function)
        told = asked.given(site.call.term, frame, _PROFILER, library)
        named = bool(told.values) and all(
            value.name in words
            if isinstance(value, LibraryObject)
            else isinstance(value, Unresolved) and isinstance(value.term, Const) and value.term.value in words
            for value in told.values
        )
        if not named or any(not asked.given(site.call.term, frame, name, library).absent for name in short):
            continue
        epochs = asked.given(site.call.term, frame, _EPOCHS[0], library)
        if asked.settled(epochs).constants != _EPOCHS[1:] and _trains(program, site):
            yield Profiled(site, library, site.module, None)


def _trains(program: Program, site: CallSite) -> bool:
    """Whether a trainer is let train, where that can be seen."""
    use = program.ask(Uses).of(site.module, site.function, site.call)
    return _TRAINS in use.methods and not use.escapes
