"""Backward passes under ``no_sync()`` whose forward pass stands outside: DDP exchanges their gradients all the same.

Whether gradients are exchanged is settled when the wrapper's forward pass makes ready for the backward pass (run in torch 2.13).
A wrapper that shards asks in the backward pass only, and is not meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.bypassed import forwards
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.contexts import activations
from trainlint.facts.gradients.backward import Backward
from trainlint.facts.modes.identity import Identities
from trainlint.facts.order import At, path
from trainlint.facts.parallel import Parallel
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame
from trainlint.finding import Spot
from trainlint.ir.nodes import And, Attr, BoolOp, Call, Select, Term
from trainlint.ir.order import within
from trainlint.ir.printer import code_in, name_in
from trainlint.ir.sketch import If, Store, With
from trainlint.ir.walk import effects, of_kind

_DDP = frozenset(("ddp",))
#: What has no such manager: a model on which it is opened is none of these.
_WITHOUT = frozenset(("fsdp2",))
_MOST_FRAMES = 4
_STEP = "step"


class Outside(NamedTuple):
    """A forward pass outside of the manager; ``manager`` is the spot of the ``with``, in the function of the backward pass.

    ``statement`` is the one of the forward pass before which ``code`` would settle it, where it can be written.
    """

    site: CallSite
    manager: Spot
    forward: tuple[str, Spot]
    statement: Spot | None
    code: str | None


def outside(program: Program) -> Iterator[Outside]:
    """The forward passes that come too early, one for each ``with``."""
    if not program.ask(Parallel).active:
        return
    seen: set[tuple[str, Spot]] = set()
    for name in sorted(program.knowledge.backward):
        for site in program.ask(CallGraph).sites.get(name, ()):
            block = _manager(program, site)
            if block is None or tests_software(program, site.module, site.function) or (site.module, block.spot) in seen:
                continue
            for frame in activations(program, site.module, site.function)[:_MOST_FRAMES]:
                found = _at(program, site, block, frame)
                if found is not None:
                    seen.add((site.module, block.spot))
                    yield found
                    break


def _manager(program: Program, site: CallSite) -> With | None:
    """The innermost ``with`` around a call that opens such a manager, of a model and not of a framework's object."""
    names = program.knowledge.unsynced
    around = [node for node in of_kind(site.function, With) if within(site.function, node, site.call.term)]
    return next((node for node in reversed(around) if any(_wrapper(item, names) is not None for item in node.items)), None)


def _wrapper(manager: Term, names: frozenset[str]) -> Term | None:
    """What ``no_sync()`` is called on in a manager that is it, in one case at least."""
    if isinstance(manager, Call) and isinstance(manager.callee, Attr) and manager.callee.name in names:
        model: Term = manager.callee.base
        return model
    if isinstance(manager, (Select, BoolOp)):
        return next((found for part in manager.subterms() if (found := _wrapper(part, names)) is not None), None)
    return None


def _at(program: Program, site: CallSite, block: With, frame: Frame) -> Outside | None:
    asked, names = program.ask(Parallel), program.knowledge.unsynced
    wrappers = [wrapper for item in block.items if (wrapper := _wrapper(item, names)) is not None]
    roots = [root for root in program.ask(Backward).roots(frame) if root.spot == site.call.term.site]
    for root in roots:
        for call, where in forwards(program, root.term, frame):
            model = (
                call.callee.base
                if isinstance(call.callee, Attr) and call.callee.name in program.knowledge.runs_model
                else call.callee
            )
            if asked.kinds(model, where) - _WITHOUT != _DDP or not asked.records(call, where):
                continue
            keys = program.ask(Identities).of(model, where)
            if not any(keys & program.ask(Identities).of(wrapper, frame) for wrapper in wrappers):
                continue
            if any(_is_inside(program, here) for here in path(At(where, call.site))):
                return None  # as it should be, or in some rounds
            statement, code = _switch(program, site, block, call, model) if where is frame else (None, None)
            return Outside(site, block.spot, (where.module, call.site), statement, code)
    return None


def _is_inside(program: Program, place: At) -> bool:
    """Whether a place stands in any such manager, or in a file that switches the exchange by hand."""
    names, function = program.knowledge.unsynced, place.frame.function
    if _switches(program, place.frame.module):
        return True
    call = next((node.term for node in calls_of(function) if node.term.site == place.spot), None)
    managers = program.ask_of(surroundings, function).of(call).managers if call is not None else ()
    return any(_wrapper(manager, names) is not None for manager in managers)


def _switches(program: Program, path_of: str) -> bool:
    """Whether a file sets the attribute that says whether gradients are exchanged."""
    attribute = program.knowledge.written["averages"]
    stores = (node for function in program.modules[path_of].functions.values() for node in of_kind(function, Store))
    return any(isinstance(node.target, Attr) and node.target.name == attribute for node in stores)


def _switch(program: Program, site: CallSite, block: With, forward: Term, model: Term) -> tuple[Spot | None, str | None]:
    """The statement of the forward pass, and what would switch the exchange before it, by the test around the ``with``."""
    function = site.function
    place = next((node for node in calls_of(function) if node.term is forward), None)
    test = next((node for node in reversed(of_kind(function, If)) if any(each is block for each in node.body)), None)
    name = name_in(model, function)
    said = code_in(test.condition, function, opposite=True) if test is not None and effects(test.orelse) else None
    if place is None or name is None or said is None or test is None or within(function, test, place):
        return None, None
    if _steps_under(program, site, test.condition):
        return None, None
    return place.statement, f"{name}.{program.knowledge.written['averages']} = {said}"


def _steps_under(program: Program, site: CallSite, test: Term) -> bool:
    """Whether something steps under the same test: then it is the wrong batch for which nothing was to be exchanged."""
    for node in calls_of(site.function):
        if isinstance(node.term.callee, Attr) and node.term.callee.name == _STEP:
            tests = [each for each, arm in program.ask_of(surroundings, site.function).of(node.term).tests if arm]
            parts = (part for each in tests for part in (each.operands if isinstance(each, And) else (each,)))
            if any(part is test for part in parts):
                return True
    return False
