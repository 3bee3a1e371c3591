"""States that a model takes as far as they fit, while nobody looks at what did not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.def_use import Uses
from trainlint.facts.files.guards import guards
from trainlint.facts.files.operations import argument
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, Made
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Collected, Const, Dict, Select, Subscript, Term
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_STATE, _STRICT = "state_dict", "strict"
#: What stands in the name of what reads a file.
_LOADS = "load"
#: Methods by which the keys of a state are gone over, to choose or to rename them.
_GOES_OVER = frozenset(("items", "keys", "pop"))


class Lenient(NamedTuple):
    """A call that takes what fits and throws away its answer; ``sorted`` is where the function goes over the keys of some dict.

    That may be where it chooses the keys, and knows what it leaves out.
    """

    site: CallSite
    sorted: Spot | None


def lenient(program: Program) -> Iterator[Lenient]:
    """Each such call, in a function that does not choose the keys itself."""
    for name in sorted(program.knowledge.takes_weights):
        for site in program.ask(CallGraph).sites.get(name, ()):
            call = site.call.term
            strict = argument(call, "1", _STRICT)
            if (
                not isinstance(call.callee, Attr)
                or strict is None
                or not isinstance(strict, Const)
                or strict.value is not False
                or site.call.statement != call.site
            ):
                continue
            if tests_software(program, site.module, site.function) or _chooses(program, site) or not _is_from_file(program, site):
                continue
            yield Lenient(site, _going_over(site.function))


def _is_from_file(program: Program, site: CallSite) -> bool:
    """Whether a state surely is what was loaded in this function, or an item of it."""
    given = argument(site.call.term, "0", _STATE)
    frame = program.frame(site.module, site.function)
    return given is not None and all(_is_loaded(program, each, frame) for each in _wholes(given))


def _wholes(given: Term) -> Iterator[Term]:
    """What a state is an item of, in each case: ``state["model"] if "model" in state else state``."""
    if isinstance(given, Select):
        yield from _wholes(given.then)
        yield from _wholes(given.other)
    elif isinstance(given, Subscript):
        yield from _wholes(given.base)
    else:
        yield given


def _is_loaded(program: Program, whole: Term, frame: Frame) -> bool:
    if isinstance(whole, Call) and _LOADS in (last_name(whole.callee) or ""):
        return True
    words = program.knowledge.tables["checkpoints"]
    values = program.values(whole, frame)
    return bool(values) and all(isinstance(value, Made) and words.get(value.name) == "load" for value in values)


def _chooses(program: Program, site: CallSite) -> bool:
    """Whether the function goes over the keys of some state: then it knows what it leaves out."""
    given = argument(site.call.term, "0", _STATE)
    if given is not None and (isinstance(given, (Dict, Collected)) or _is_copied(program, given)):
        return True
    if any(guard.kind == "handler" for guard in guards(program, site.function).get(site.call.term, ())):
        return True  # somebody has tried to load all of it
    wholes = list(_wholes(given)) if given is not None else []
    for loop in of_kind(site.function, Loop):
        if loop.kind != "for":
            continue
        parts = list(parts_of(loop.subject))
        if any(part is given for part in parts):
            return True
        if _is_going_over(loop.subject) and (
            _is_copied(program, loop.subject) or any(part is whole for part in parts for whole in wholes)
        ):
            return True
    parents = program.ask(Uses).parents(site.module).of.get(given, ()) if given is not None else ()
    return any(isinstance(parent, Attr) and parent.name in _GOES_OVER for parent, _ in parents)


def _going_over(function: Function) -> Spot | None:
    return next((loop.spot for loop in of_kind(function, Loop) if loop.kind == "for" and _is_going_over(loop.subject)), None)


def _is_copied(program: Program, given: Term) -> bool:
    """Whether a state is that of a model that lives: what of it fits is known to who made both."""
    return any(isinstance(part, Call) and last_name(part.callee) in program.knowledge.copies_weights for part in parts_of(given))


def _is_going_over(subject: Term) -> bool:
    return (
        isinstance(subject, Call)
        and bool(subject.args or isinstance(subject.callee, Attr))
        and (
            (isinstance(subject.callee, Attr) and subject.callee.name in _GOES_OVER)
            or any(_is_going_over(part) for part in subject.args)
        )
    )
