"""Schedulers and loss scalers that a checkpoint leaves out, though it brings their optimizer back.

Who saves the state of an optimizer and restores it wants to go on where the training stopped. A scheduler that then begins anew
gives the restored optimizer the learning rates of the first epochs. It is said of things only of which all is seen that is done:
what goes to a framework or into a list may be saved there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.checkpoints.origins import Origins
from trainlint.facts.checkpoints.resumed import starts_at
from trainlint.facts.checkpoints.states import StateCall, States
from trainlint.facts.def_use import Use, Uses, made_by
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.objects import Thing, Things, name_of, named
from trainlint.facts.values import ClassValue
from trainlint.finding import Spot
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import VARIABLES, Attr, BinOp, Call, Const, Global, Nested, Param, Select, Term
from trainlint.ir.order import loops_around
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk

_SCHEDULERS = ("scheduler", "plateau")
_STEP = "step"


class Forgotten(NamedTuple):
    """A thing (``kind``: ``scheduler`` or ``scaler``) that steps and is not saved, beside an optimizer that is.

    ``code`` restores it behind ``statement``, which restores the optimizer; None where it has no name there. ``called`` is where
    a function that uses the thing calls another file's that saves the optimizer; None where that is saved beside the thing.
    """

    module: str
    node: CallStep
    kind: str
    saved: StateCall
    restored: StateCall
    code: str | None
    statement: Spot | None
    called: CallSite | None


def forgotten(program: Program) -> Iterator[Forgotten]:
    """Each such thing, once for each optimizer state that is saved without it."""
    known = program.ask(States)
    if not known.saved or not known.restored:
        return
    seen: set[tuple[Term, str]] = set()
    for path, function, node, kind in _made(program):
        if tests_software(program, path, function):
            continue
        use = program.ask(Uses).of(path, function, node, named=True)
        if not _is_lost(program, use) or (kind in _SCHEDULERS and _is_told(program, use, kind)):
            continue
        files = {path, *(module for module, _ in use.functions)}
        components = {program.component(file) for file in files}
        restored = [each for each in known.restored if program.component(each.site.module) in components]
        saved = [each for each in known.saved if program.component(each.site.module) in components]
        word = "scaler" if kind == "scaler" else "scheduler"
        own = _own_optimizer(program, path, function, node)
        beside = [each for each in saved if _is_beside(program, use, path, each) and _may_be(program, own, each)]
        called = None
        if not beside:
            beside = [each for each in saved if _call_of(program, use, each) is not None and _may_be(program, own, each)]
        place = min(beside, key=lambda each: _distance(program, use, own, each), default=None)
        if place is None:
            continue
        if not _is_beside(program, use, path, place):
            called = _call_of(program, use, place)
        near = [
            each
            for each in restored
            if _is_near(program, use, (path, function), place, each) and _may_be(program, place.thing, each)
        ]
        back = min(near, key=lambda each: _distance(program, use, place.thing, each), default=None)
        if back is not None and (place.site.call.term, word) not in seen:
            seen.add((place.site.call.term, word))
            yield Forgotten(path, node, word, place, back, *_cure(program, path, function, node, word, back), called)


def _made(program: Program) -> Iterator[tuple[str, Function, CallStep, str]]:
    """The calls that make a scheduler or a scaler with a state that matters."""
    knowledge = program.knowledge
    memoryless = frozenset(knowledge.tables["checkpoints.memoryless"]["names"])
    places = frozenset(knowledge.tables["checkpoints.places"]["names"])
    for path, function, node, kind in program.ask(made_by):
        if kind not in _SCHEDULERS or knowledge.canonical(dotted_name(node.term.callee) or "") in memoryless:
            continue
        told = any(name is None or (name in places and not isinstance(value, Const)) for name, value in node.term.kwargs)
        if not told and not _knows_start(program, path, function, node.term):
            yield path, function, node, kind
    for path, function in program.functions():
        for node in calls_of(function):
            dotted = dotted_name(node.term.callee)
            if dotted is None or knowledge.kinds.get(knowledge.canonical(dotted)) != "scaler":
                continue
            if not any(name == "enabled" and isinstance(value, Const) and not value.value for name, value in node.term.kwargs):
                yield path, function, node, "scaler"


def _knows_start(program: Program, path: str, function: Function, made: Call) -> bool:
    """Whether a scheduler is made with the number with which the training begins, also inside of a function.

    That is what was read from a file, what goes by the name of what a loop begins with (``range(args.first, args.epochs)``), or
    what a function that is given the number of a step adds to that: ``lambda step: rate(step + args.done)``.
    """
    asked, frame = program.ask(Origins), program.frame(path, function)
    starts = program.ask_of(_starts, program.component(path))
    pending: list[tuple[Term, Function | None]] = [(given, None) for given in (*made.args, *(value for _, value in made.kwargs))]
    functions = program.modules[path].functions
    seen: set[Term] = set()
    while pending:
        term, inside = pending.pop()
        for part in parts_of(term):
            if part in seen:
                continue
            seen.add(part)
            read = asked.read_key(part)
            if (isinstance(part, VARIABLES) and name_of(part) in starts) or (inside is not None and _is_shifted(part, inside)):
                return True
            if read is not None and asked.loaded(read[0], frame) is not None:
                return True
            if isinstance(part, (Nested, Global)) and part.name in functions:
                pending += [(returned, functions[part.name]) for returned in program.returns(functions[part.name])]
    return False


def _is_shifted(term: Term, function: Function) -> bool:
    """Whether something that is no constant is added to what a function is given: a schedule begins where it says."""
    if not isinstance(term, BinOp) or term.op != "Add" or any(not isinstance(part, VARIABLES) for part in term.sides):
        return False
    return any(
        isinstance(part, Param) and part.function == function.qualname and part.name in function.parameters[:1]
        for part in term.sides
    )


def _starts(program: Program, component: str) -> set[str]:
    """The names of what the loops of a component begin with."""
    found: set[str] = set()
    for other, function in program.functions():
        for loop in of_kind(function, Loop) if program.component(other) == component else ():
            starts = {name_of(part) for part in _summands(starts_at(loop)) if isinstance(part, VARIABLES)}
            if starts and program.ask(Loops).says(other, function, loop.body, program.knowledge.training):
                found |= starts
    return found


def _summands(term: Term | None) -> list[Term]:
    """What a number is, or what it is the sum of."""
    if term is None:
        return []
    if isinstance(term, (BinOp, Select)):
        return [part for each in (term.arms if isinstance(term, Select) else term.sides) for part in _summands(each)]
    return [term]


def _is_lost(program: Program, use: Use) -> bool:
    """Whether a thing steps, and nobody can have saved it."""
    taken = program.ask(States).taking | program.knowledge.takes_weights | {"__dict__", "last_epoch"}
    harmless = program.knowledge.step_calls
    return (
        not use.escapes
        and not use.shared
        and _STEP in use.methods
        and taken.isdisjoint(use.methods)
        and all(_is_harmless(name, harmless) for name in use.given)
    )


def _is_harmless(name: str, calls_of_steps: Mapping[str, str]) -> bool:
    """Whether a library that is handed the thing saves nothing of it: another scheduler, say, that it is a part of, does."""
    return name.removesuffix("()").rpartition(".")[2] in calls_of_steps


def _is_told(program: Program, use: Use, kind: str) -> bool:
    """Whether a scheduler is told the epoch, or is stepped again and again until it is where it was."""
    asked = program.ask(Things)
    for path, function in use.functions:
        frame = program.frame(path, function)
        for node in calls_of(function):
            callee = node.term.callee
            if not isinstance(callee, Attr) or callee.name != _STEP:
                continue
            if (
                asked.of(callee.base, frame).kind not in (*_SCHEDULERS, "unknown")
                and named(program.knowledge, callee.base) != "scheduler"
            ):
                continue
            if kind == "scheduler" and (node.term.args or node.term.kwargs):
                return True
            around = loops_around(function, node)
            if around and _only_steps(around[-1]):
                return True
    return False


def _only_steps(loop: Loop) -> bool:
    """Whether a loop does nothing but call one thing."""
    return loop.kind == "for" and all(
        isinstance(node, CallStep) and isinstance(node.term.callee, (Attr, Param)) and node.term.callee.name == _STEP
        for node in walk(loop.body)
    )


def _is_beside(program: Program, use: Use, path: str, saved: StateCall) -> bool:
    """Whether a thing is used in the file in which an optimizer's state is saved, or in the object whose method saves it."""
    site = saved.site
    if not name_of(saved.thing.term):
        return False
    users = [(path, None), *use.functions]
    if any(module == site.module for module, _ in users):
        return True
    saver = _class_of(program, site.module, site.function)
    using = [_class_of(program, module, function) for module, function in use.functions]
    return saver is not None and any(saver in program.lineage(each) for each in (*using, *use.classes) if each is not None)


def _call_of(program: Program, use: Use, saved: StateCall) -> CallSite | None:
    """Where a function that uses a thing calls the one that saves an optimizer's state."""
    users = {id(function) for _, function in use.functions}
    return next((site for site in program.ask(CallGraph).callers(saved.site.function) if id(site.function) in users), None)


def _own_optimizer(program: Program, path: str, function: Function, node: CallStep) -> Thing | None:
    """The optimizer that a scheduler is made with."""
    asked, frame = program.ask(Things), program.frame(path, function)
    given = (*node.term.args, *(value for _, value in node.term.kwargs))
    return next((thing for thing in (asked.of(each, frame) for each in given) if thing.kind == "optimizer"), None)


def _may_be(program: Program, own: Thing | None, call: StateCall) -> bool:
    """Whether nothing says that two optimizers are different ones."""
    return own is None or program.ask(Things).same(own, call.thing) is not False


def _distance(program: Program, use: Use, own: Thing | None, call: StateCall) -> int:
    """How far a state is from a thing: 0 of its own optimizer or in its object, 1 in what uses it, 2 and 3 beyond."""
    saver = _class_of(program, call.site.module, call.site.function)
    if (own is not None and program.ask(Things).same(own, call.thing)) or (saver is not None and saver in use.classes):
        return 0
    users = {id(function) for _, function in use.functions}
    callers = {id(site.function) for site in program.ask(CallGraph).callers(call.site.function)}
    if id(call.site.function) in users or not users.isdisjoint(callers):
        return 1
    return 2 if any(module == call.site.module for module, _ in use.functions) else 3


def _is_near(program: Program, use: Use, maker: tuple[str, Function], saved: StateCall, restored: StateCall) -> bool:
    """Whether an optimizer gets its state back in the files that save it or make and use the thing, or in what these call."""
    files = {maker[0], saved.site.module, *(module for module, _ in use.functions)}
    files |= {site.module for site in program.ask(CallGraph).callers(maker[1])}
    callers = {site.module for site in program.ask(CallGraph).callers(restored.site.function)}
    return restored.site.module in files or not callers.isdisjoint(files)


def _cure(
    program: Program, path: str, function: Function, node: CallStep, word: str, restored: StateCall
) -> tuple[str | None, Spot | None]:
    """What restores the thing from the file that brings its optimizer back, where both are at hand.

    Old files do not have its state, so that it is asked for.
    """
    call = restored.site.call.term
    if restored.site.module != path or restored.site.function is not function or len(call.args) != 1:
        return None, None
    read = program.ask(Origins).read_key(call.args[0])
    thing = name_in(node.term, function)
    whole = name_in(read[0], function) if read is not None else None
    if thing is None or whole is None:
        return None, None
    return f'if "{word}" in {whole}:\n    {thing}.load_state_dict({whole}["{word}"])', restored.site.call.statement


def _class_of(program: Program, module: str, function: Function) -> ClassValue | None:
    cls = program.modules[module].classes.get(function.cls or "")
    return ClassValue(module, cls) if cls is not None else None
