"""Where DDP is made to look for parameters without gradients, in every step, and whether the model is seen to have some."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import ClassValue, Frame, Instance, Library
from trainlint.model.sketch import Call, Exit
from trainlint.model.terms import Term
from trainlint.model.tested import walk_tested

_WRITTEN = "_true"
_MOST_FRAMES = 3


class Search(NamedTuple):
    """A call that asks for it, and by which argument."""

    site: CallSite
    keyword: str


def searches(program: Program) -> Iterator[Search]:
    """The calls that ask for the search whatever happens, but for models that are seen to leave parts out."""
    table = program.knowledge.tables["unused_search"]
    for word in sorted({name.rpartition(".")[2] for name in table}):
        for site in calls(program).sites_named(word):
            frame = program.frame(site.module, site.function)
            names = [value.name for value in program.values(site.call.term[1], frame) if isinstance(value, Library)]
            keyword = table.get(names[0]) if len(names) == 1 else None
            if keyword is None or not _asks(site.call.term, keyword) or tests_software(program, site.module, site.function):
                continue
            if not _leaves_out(program, site):
                yield Search(site, keyword)


def _asks(call: Term, keyword: str) -> bool:
    given = next((value for name, value in call[3] if name == keyword), None)
    if given is None or given[0] != "c":
        return False
    return given[2] is True or (isinstance(given[2], str) and given[2].endswith(_WRITTEN))


def _leaves_out(program: Program, site: CallSite) -> bool:
    """Whether the model that is wrapped runs a part of it in some steps only, or the wrapper is told that nothing changes."""
    call = site.call.term
    if any(name == "static_graph" for name, _ in call[3]):
        return True
    given = call[2][0] if call[2] else next((value for name, value in call[3] if name == "module"), None)
    if given is None:
        return False
    frames = activations(program, site.module, site.function)[:_MOST_FRAMES]
    return any(_chooses(program, given, frame) for frame in frames)


def _chooses(program: Program, model: Term, frame: Frame) -> bool:
    same = program.knowledge.fluent
    if model[0] == "call" and model[1][0] == "a" and model[1][2] in same:
        model = model[1][1]
    for value in program.values(model, frame):
        if not isinstance(value, Instance):
            continue
        method = program.method(ClassValue(value.module, value.cls), "forward")
        if method is None:
            continue
        for node, led in walk_tested(method[1].body):
            if led and isinstance(node, Call) and _is_own_part(node.term):
                return True
            if led and isinstance(node, Exit) and node.kind == "return":
                return True
    return False


def _is_own_part(call: Term) -> bool:
    """Whether a part of the object itself is called: ``self.head(x)``."""
    return bool(call[1][0] == "a" and call[1][1][0] == "self")
