"""Errors of the compiler that are hidden: what cannot be compiled runs uncompiled, whatever the mistake was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.program import Program
from trainlint.facts.software_tests import in_tests, tests_software
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import Attr, Const, Global, Param, Ref, Term
from trainlint.ir.sketch import CallStep, Function, If, Store, Try
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk

_HIDES, _OFF = "hides", "off"


class Hidden(NamedTuple):
    """The statement that turns it on."""

    module: str
    store: Store


def hidden(program: Program) -> Iterator[Hidden]:
    """Each statement that hides errors for good, told to nobody and asked for by no name."""
    for module, function in program.functions():
        if not any(_word(program, node) == _HIDES for node in of_kind(function, Store)):
            continue
        stores = [(node, led) for node, led in walk_tested(function.body) if isinstance(node, Store)]
        words = {_word(program, node) for node, _ in stores if _is(node, True)}
        for node, led in stores:
            if _word(program, node) != _HIDES or not _is(node, True) or _OFF in words:
                continue
            if in_tests(module) or tests_software(program, module, function) or _is_undone(program, module, node):
                continue
            if not _is_known(program, function, led, node):
                yield Hidden(module, node)


def _word(program: Program, node: Store) -> str | None:
    if not isinstance(node.target, (Attr, Ref)):
        return None
    dotted = dotted_name(node.target)
    return program.knowledge.tables["dynamo"].get(program.knowledge.canonical(dotted)) if dotted is not None else None


def _is(node: Store, value: bool) -> bool:
    return isinstance(node.value, Const) and node.value.value is value


def _is_undone(program: Program, module: str, hiding: Store) -> bool:
    """Whether the file sets it to something else as well: it is on for a while, or as somebody says."""
    stores = (node for function in program.modules[module].functions.values() for node in of_kind(function, Store))
    return any(_word(program, node) == _HIDES and node.value.parts != hiding.value.parts for node in stores)


def _is_known(program: Program, function: Function, led: Led, hiding: Store) -> bool:
    """Whether somebody is told, or asked for it: by the name of a test or function, or in a handler of an error."""
    words = frozenset(program.knowledge.tables["dynamo.asked"]["names"])
    tells = program.knowledge.tables["dynamo.tells"]["names"]
    if any(isinstance(test, Failed) or _speaks(test, words) for test, _ in led):
        return True
    if any(hiding in walk(handler) for node in of_kind(function, Try) for handler in node.handlers):
        return True
    for arm in (walk(block) for node in of_kind(function, If) for block in (node.body, node.orelse)):
        if hiding in arm and any(isinstance(each, CallStep) and last_name(each.term.callee) in tells for each in arm):
            return True
    if any(word in function.qualname.lower() for word in words):
        return True
    sites = [site for site in program.ask(CallGraph).callers(function) if site.function is not function]
    return bool(sites) and all(_is_led_by_name(site, words) for site in sites)


def _speaks(test: Term, words: frozenset[str]) -> bool:
    names = (
        str(part.value if isinstance(part, Const) else part.name).lower()
        for part in parts_of(test)
        if isinstance(part, (Param, Attr, Global, Ref, Const))
    )
    return any(word in name for name in names for word in words)


def _is_led_by_name(site: CallSite, words: frozenset[str]) -> bool:
    """Whether a test that leads to a call has one of the words."""
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    return any(isinstance(test, Failed) or _speaks(test, words) for test, _ in led)


__all__ = ["Hidden", "hidden"]
