"""Iterable datasets that every worker of a loader reads as a whole: nothing in them asks which worker they are in.

The loader copies the dataset into each worker and iterates every copy. So what comes from the object's own data, from a file, or
from a range, comes once from each, unless something tells the copies apart: the worker's number, the rank, a random generator, a
source that gives each thing to one reader only, another dataset that divides itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.loaders.dataloaders import BY_INDEX, ITERABLE, Loader, Loaders, fewest, kind_of
from trainlint.domains.loaders.workers import Inside, Run
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Comprehension,
    Const,
    Dict,
    Element,
    Param,
    Ref,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Exit, Function, If, Keep, Loop, Statement, Yield
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import effects, of_kind, walk
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, Instance, Library, LibraryObject, Unresolved, Value

_ITER = "__iter__"
_SEVERAL = 2
_RANGE = "builtins.range"
_MAP = "builtins.map"


class Copied(NamedTuple):
    """A loader whose workers each hand out all of a dataset; ``source`` is where that is read, ``workers`` how many there are."""

    loader: Loader
    workers: int
    module: str
    source: Spot


def copied(program: Program) -> Iterator[Copied]:
    """Every loader with several workers over an iterable dataset that does not divide itself, once for its call."""
    seen: set[tuple[str, Spot]] = set()
    for loader in program.ask(Loaders).all():
        key = (loader.module, loader.spot)
        if key in seen or not loader.data() or not loader.given("worker_init_fn").absent:
            continue
        workers = fewest(loader)
        if workers is None or workers < _SEVERAL or tests_software(program, *_place(loader)):
            continue
        sources = [_whole(program, value) for value in loader.data()]
        if sources[0] is not None and None not in sources:
            seen.add(key)
            yield Copied(loader, workers, *sources[0])


def _place(loader: Loader) -> tuple[str, Function]:
    return loader.module, loader.constructed.frame.function


def _whole(program: Program, data: Value) -> tuple[str, Spot] | None:
    """Where a dataset reads what each of its copies hands out; None when something may tell the copies apart."""
    if not isinstance(data, Instance) or kind_of(program, data) != ITERABLE or not _is_plain(program, data):
        return None
    method = program.method(ClassValue(data.module, data.cls), _ITER)
    if method is None:
        return None
    runs = [Run(method[1], program.instance_frame(data, *method))]
    runs = program.ask(Inside).closure(runs)
    if any(_tells_apart(program, run) for run in runs) or _asks_who(program, data):
        return None
    for run in runs:
        found = _source(program, run)
        if found is not None:
            return run.frame.module, found
    return None


def _is_plain(program: Program, data: Instance) -> bool:
    """Whether a class has nothing of libraries but that it is an iterable dataset."""
    above = program.lineage(ClassValue(data.module, data.cls))
    plain = program.knowledge.tables["loaders"]["streams"]
    return all(isinstance(each, ClassValue) or each.name in plain for each in above)


# -- what tells the copies apart ---------------------------------------------------------------------------------------


def _asks_who(program: Program, data: Instance) -> bool:
    """Whether a method of the class, or of one above it, asks which worker or process it runs in."""
    for cls in program.lineage(ClassValue(data.module, data.cls)):
        if isinstance(cls, ClassValue):
            functions = program.modules[cls.module].functions
            frames = (program.frame(cls.module, functions[name]) for name in cls.cls.methods.values())
            if any(_asks(program, frame) for frame in frames):
                return True
    return False


def _asks(program: Program, frame: Context) -> bool:
    asks = program.knowledge.tables["loaders"]["asks"]
    callees = (value for call in calls_of(frame.function) for value in program.values(call.term.callee, frame))
    return any(isinstance(callee, Library) and callee.name in asks for callee in callees)


def _tells_apart(program: Program, run: Run) -> bool:
    """Whether a function asks for the worker or the rank, draws random numbers, or takes from what others take from."""
    if _asks(program, run.frame) or _takes_turns(run.function):
        return True
    draws = program.knowledge.tables["loaders"]["draws"]
    shared = program.knowledge.tables["loaders"]["shared"]
    for call in calls_of(run.function):
        if last_name(call.term.callee) in shared:
            return True
        for callee in program.values(call.term.callee, run.frame):
            if isinstance(callee, Library) and any(callee.name.startswith(name) for name in draws):
                return True
    return False


def _takes_turns(function: Function) -> bool:
    """Whether a remainder by what is no number is asked for, or the answer: each copy may leave out what others take."""
    asked = [node.condition for node in of_kind(function, If)]
    asked += [node.value for node in of_kind(function, Exit) if node.value is not None]
    parts = parts_of(*asked)
    return any(isinstance(part, BinOp) and part.op == "Mod" and not isinstance(part.right, Const) for part in parts)


def _terms(node: Statement) -> Iterator[Term]:
    for part in node:
        if isinstance(part, Term):
            yield part


# -- what they read ----------------------------------------------------------------------------------------------------


def _source(program: Program, run: Run) -> Spot | None:
    """The first loop of a function that hands out something fixed, or what it hands out as a whole."""
    for loop in of_kind(run.function, Loop):
        if loop.kind != "for" or not any(isinstance(each, Yield) for each in walk(loop.body)):
            continue
        around = (each.subject for each in loops_around(run.function, loop) if each.kind == "for")
        if all(_is_own(program, each, run.frame) for each in around) and _is_fixed(program, loop.subject, run.frame, loop):
            return loop.spot
    for node in of_kind(run.function, Yield):
        if node.whole and node.value is not None and _is_fixed(program, node.value, run.frame, None):
            return node.spot
    if run.function.name == _ITER:
        for returned in program.returns(run.function):
            if isinstance(returned, Call) and _is_fixed(program, returned, run.frame, None):
                return returned.site
    return None


def _is_own(program: Program, subject: Term, frame: Context) -> bool:
    """Whether what an outer loop goes over is the object's own, or fixed."""
    return isinstance(subject, (Attr, Param, Element)) or _is_fixed(program, subject, frame, None)


def _is_fixed(
    program: Program, term: Term, frame: Context, loop: Loop | None, within: tuple[tuple[Term, Context], ...] = ()
) -> bool:
    """Whether something is the same in each copy, and is read from its beginning: a list, a file, a range of indices."""
    if (term, frame) in within:
        return False
    within = (*within, (term, frame))
    if isinstance(term, Call) and isinstance(term.callee, Ref) and len(term.args) == 1:
        name = term.callee.name
        if name in program.knowledge.transparent or program.knowledge.iterates.get(name) == "same":
            return _is_fixed(program, term.args[0], frame, loop, within)
    if isinstance(term, Param) and _is_list(program, term, frame):
        return True
    if isinstance(term, Attr) and isinstance(term.base, Self) and _is_stored_list(program, term, frame):
        return True
    values = program.values(term, frame)
    return bool(values) and all(_fixed(program, value, loop, within) for value in values)


def _fixed(program: Program, value: Value, loop: Loop | None, within: tuple[tuple[Term, Context], ...]) -> bool:
    if isinstance(value, Unresolved):
        if isinstance(value.term, (SequenceDisplay, Dict)):
            return bool(value.term.items) or _is_filled(value)
        drawn = value.term if isinstance(value.term, Comprehension) else None
        if drawn is not None:
            return _is_fixed(program, drawn.of, value.frame, loop, within)
        return isinstance(value.term, Param) and _is_list(program, value.term, value.frame)
    if isinstance(value, Instance):
        return kind_of(program, value) == BY_INDEX
    if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
        return False
    given = value.call.args
    if value.name == _RANGE:
        return loop is None or any(_measures(program, each) for each in given) or _uses_index(loop)
    shape = program.knowledge.iterates.get(value.name)
    if shape == "same" and len(given) > _SEVERAL:
        return False  # a slice with a beginning
    if shape in ("same", "indexed", "zipped") or value.name == _MAP or value.name in program.knowledge.keeps_order:
        inner = given[1:] if value.name == _MAP else given if shape == "zipped" else given[:1]
        return bool(inner) and any(_is_fixed(program, each, value.frame, loop, within) for each in inner)
    return value.name in program.knowledge.tables["loaders"]["sources"]


def _is_filled(value: Unresolved) -> bool:
    """Whether something is put into a list or dict that begins empty, in the function that makes it."""
    function, made = value.frame.function, value.term
    added = any(isinstance(call.term.callee, Attr) and call.term.callee.base is made for call in calls_of(function))
    return added or any(isinstance(node.target, Subscript) and node.target.base is made for node in of_kind(function, Keep))


def _is_stored_list(program: Program, attribute: Attr, frame: Context) -> bool:
    """Whether all that is stored in an attribute are parameters that are annotated as lists."""
    owner = frame.owner()
    if not isinstance(owner, Instance):
        return False
    stored = list(program.stores(ClassValue(owner.module, owner.cls), attribute.name))
    return bool(stored) and all(
        isinstance(value, Param) and _is_list(program, value, program.frame(module, function))
        for module, function, value in stored
    )


def _is_list(program: Program, parameter: Param, frame: Context) -> bool:
    """Whether the annotation of a parameter says that it is a list."""
    holder = frame.holder(parameter.function)
    annotation = holder.function.annotations.get(parameter.name) if holder is not None else None
    while annotation is not None and isinstance(annotation, Subscript):
        annotation = annotation.base
    if annotation is None or holder is None:
        return False
    lists = program.knowledge.tables["loaders"]["lists"]
    values = program.values(annotation, program.frame(holder.module, holder.function))
    return any(isinstance(value, Library) and value.name in lists for value in values)


def _measures(program: Program, term: Term) -> bool:
    """Whether a bound is the length of something."""
    measures = program.knowledge.measures
    return any(
        (isinstance(part, Call) and isinstance(part.callee, Ref) and part.callee.name in measures)
        or (isinstance(part, Attr) and part.name in measures)
        for part in parts_of(term)
    )


def _uses_index(loop: Loop | None) -> bool:
    """Whether a loop takes the item of something under the number that it counts, or hands the number out."""
    if loop is None or loop.target is None:
        return False
    pending: list[Statement] = list(effects(loop.body))
    for node in pending:
        for term in _terms(node):
            if isinstance(node, Yield) and term is loop.target:
                return True
            if any(isinstance(part, Subscript) and loop.target in (part.key, *part.key.subterms()) for part in parts_of(term)):
                return True
    return False
