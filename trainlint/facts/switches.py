"""Switches of the whole program that contradict each other: cuDNN looks for what is fastest, and is to repeat its results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import FunctionValue
from trainlint.ir.control_dependence import Failed, Led, meet, walk_tested
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import NAMED, Attr, Const, Ref, Term
from trainlint.ir.sketch import Function, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind

_HIGHEST = 3


class Switch(NamedTuple):
    """A store to a switch; ``number`` is its place among the statements of the function, ``on`` is None when nobody knows."""

    module: str
    function: Function
    store: Store
    word: str
    on: bool | None
    led: Led
    number: int


class Contradiction(NamedTuple):
    """The search is turned on at ``search``, although results are to be ``repeatable``; ``alone``: nothing else is set there."""

    search: Switch
    repeatable: Switch
    alone: bool


def contradictions(program: Program) -> Iterator[Contradiction]:
    """Each search that is on together with the wish for repeatable results, in one run."""
    known: dict[int, list[Switch]] = {}
    for module, function in program.functions():
        found = _switches(program, module, function)
        if found:
            known[id(function)] = found
    for switches in known.values():
        for search in switches:
            if search.word == "search" and search.on:
                wish = _wish(program, search, known)
                if wish is not None:
                    yield Contradiction(search, wish, sum(each.store.spot == search.store.spot for each in switches) == 1)


def _switches(program: Program, module: str, function: Function) -> list[Switch]:
    table = program.knowledge.tables["switches"]
    stores = [node for node in of_kind(function, Store) if isinstance(node.target, (Ref, Attr))]
    words = {id(node): table.get(program.knowledge.canonical(dotted_name(node.target) or "")) for node in stores}
    if not any(words.values()):
        return []
    found = []
    for number, (node, led) in enumerate(walk_tested(function.body)):
        word = words.get(id(node)) if isinstance(node, Store) else None
        if word is not None and isinstance(node, Store):
            found.append(Switch(module, function, node, word, _is_on(node.value), led, number))
    return found


def _is_on(value: Term) -> bool | None:
    return value.value if isinstance(value, Const) and isinstance(value.value, bool) else None


def _wish(program: Program, search: Switch, known: dict[int, list[Switch]]) -> Switch | None:
    """Where results are made repeatable in a run in which the search is on."""
    own = known[id(search.function)]
    if any(each.word == "search" and each.number > search.number and meet(each.led, search.led) for each in own):
        return None
    for each in own:
        if each.word == "repeatable" and each.on and meet(each.led, search.led) and _goes_with(program, search.led, each.led):
            later = (other for other in own if other.word == "repeatable" and other.number > each.number)
            if not any(meet(other.led, search.led) for other in later):
                return each
    undone = any(each.word == "repeatable" and not each.on and meet(each.led, search.led) for each in own)
    if undone or not _goes_with(program, search.led, ()):
        return None
    return _before(program, search, known) or _above(program, search.function, known)


def _goes_with(program: Program, led: Led, other: Led) -> bool:
    """Whether what leads to one place leads to another too, or only asks whether there is a GPU."""
    words = program.knowledge.tables["switches.there"]["names"]
    return all(test in other or _asks(test[0], words) for test in led)


def _asks(test: Term | Failed, words: object) -> bool:
    assert isinstance(words, (list, tuple, frozenset))
    if isinstance(test, Failed):
        return False
    return any(part.name.rpartition(".")[2] in words for part in parts_of(test) if isinstance(part, NAMED))


def _before(program: Program, search: Switch, known: dict[int, list[Switch]]) -> Switch | None:
    """In a function that is called before the search is turned on."""
    frame = program.frame(search.module, search.function)
    places = {id(node): (number, led) for number, (node, led) in enumerate(walk_tested(search.function.body))}
    for call in calls_of(search.function):
        number, led = places[id(call)]
        if number > search.number or not meet(led, search.led):
            continue
        for target in program.ask(CallGraph).targets(call.term, frame):
            wish = _lasting(known.get(id(target.function), [])) if isinstance(target, FunctionValue) else None
            if wish is not None:
                return wish
    return None


def _above(program: Program, function: Function, known: dict[int, list[Switch]], depth: int = 0) -> Switch | None:
    """In a function that calls the one of the search, before it does."""
    for site in program.ask(CallGraph).callers(function) if depth < _HIGHEST else ():
        if site.function is function:
            continue
        order = {id(node): (number, led) for number, (node, led) in enumerate(walk_tested(site.function.body))}
        number, led = order[id(site.call)]
        above = [each for each in known.get(id(site.function), []) if each.number < number and meet(each.led, led)]
        wish = _lasting(above) or _above(program, site.function, known, depth + 1)
        if wish is not None:
            return wish
    return None


def _lasting(switches: list[Switch]) -> Switch | None:
    """The wish for repeatable results that some switches leave."""
    wishes = [each for each in switches if each.word == "repeatable"]
    return wishes[-1] if wishes and all(each.on for each in wishes) else None
