"""What an object keeps in a list, and who puts it in: ``hooks.register(finish)``, later ``for hook in self.hooks: hook()``."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.dispatch_tables import held_by
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue
from trainlint.ir.nodes import Attr, Call, Param, Self, Slice, Subscript, Term
from trainlint.ir.sketch import CallStep

#: How a method puts its argument into the container that it is called on, by table ``data.changes``.
_MORE = "more"
#: Calls of a method that registers.
_MOST = 8


class Registered(NamedTuple):
    """Something that is put into a list of an object: what, in which activation, by which call; and by which call of that method.

    ``site`` is None where the method itself says what it is. ``key`` is what it is put under, if the object keeps several
    lists in a dict, and the activation that says so.
    """

    term: Term
    frame: Frame
    call: CallStep
    method: FunctionValue
    site: CallSite | None
    key: tuple[Term, Frame] | None = None


def kept_under(hands_out: Container[str], container: Term) -> tuple[str, Term | None] | None:
    """The attribute of ``self`` that a list is, or that it is in under a key (``self.hooks[name]``, ``self.hooks.get(name)``)."""
    key: Term | None = None
    if isinstance(container, Subscript) and not isinstance(container.key, Slice):
        key, container = container.key, container.base
    elif isinstance(container, Call):
        holder = held_by(hands_out, container)
        if holder is None:
            return None
        key, container = container.args[0], holder
    if not isinstance(container, Attr) or not isinstance(container.base, Self):
        return None
    return container.name, key


def added_to(program: Program, method: FunctionValue) -> Iterator[tuple[str, CallStep]]:
    """The attributes of its object to which a method adds something, and by which calls."""
    for node in calls_of(method.function):
        callee = node.term.callee
        if isinstance(callee, Attr) and node.term.args and program.knowledge.changes.get(callee.name) == _MORE:
            place = kept_under(program.knowledge.hands_out, callee.base)
            if place is not None:
                yield place[0], node


def registered(program: Program, cls: ClassValue, name: str) -> list[Registered] | None:
    """All that the methods of a class add to the list ``self.name``, as their calls stand; None where that is not known."""
    found: list[Registered] = []
    for base in program.lineage(cls):
        if not isinstance(base, ClassValue):
            continue
        for qualname in base.cls.methods.values():
            function = program.modules[base.module].functions[qualname]
            method = FunctionValue(base.module, function)
            for attribute, node in added_to(program, method):
                if attribute != name:
                    continue
                more = _handed(program, method, node)
                if more is None:
                    return None
                found += more
    return found


def _handed(program: Program, method: FunctionValue, node: CallStep) -> list[Registered] | None:
    value = node.term.args[0]
    callee = node.term.callee
    assert isinstance(callee, Attr)
    place = kept_under(program.knowledge.hands_out, callee.base)
    key = place[1] if place is not None else None
    if not isinstance(value, Param):
        at = program.frame(method.module, method.function)
        return [Registered(value, at, node, method, None, None if key is None else (key, at))]
    index = program.ask(CallGraph)
    sites = index.callers(method.function)
    if not 0 < len(sites) <= _MOST:
        return None
    found = []
    for site in sites:
        caller = program.frame(site.module, site.function)
        for target in index.targets(site.call.term, caller):
            if isinstance(target, FunctionValue) and target.function is method.function:
                inner = program.enter(target, site.call.term, caller)
                bound = inner.arguments.get(value.name)
                if not isinstance(bound, Bound):
                    return None
                found.append(Registered(bound.term, bound.frame, node, method, site, None if key is None else (key, inner)))
                break
    return found
