"""What is compiled again in each round of a training loop: with other options, for another backend, or because all was forgotten.

Run in torch 2.13: one function, a lambda or a fresh module of one class, compiled in each round, is compiled once or twice. With
an option that changes, or a backend that is another object each time, each round compiles, eight times; after a reset every one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.loops import Loops, Pass
from trainlint.facts.program import Program
from trainlint.facts.software_tests import in_tests, tests_software
from trainlint.facts.values import Library
from trainlint.finding import Spot
from trainlint.ir.nodes import LITERALS, Call, Element, LoopPhi, Nested, Term
from trainlint.ir.order import made_within
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import walk

_BACKEND = "backend"
_WORDS = ("compiles", "forgets")


class Again(NamedTuple):
    """A call in a training loop; ``why``: "option" (it changes with the round), "backend" (a fresh one), "reset"."""

    module: str
    call: CallStep
    why: Literal["option", "backend", "reset"]
    loop: Spot


def compiled_again(program: Program) -> Iterator[Again]:
    """Each such call, once."""
    words = program.knowledge.tables["dynamo"]
    index = program.ask(CallGraph)
    names = {name.rpartition(".")[2] for name, word in words.items() if word in _WORDS}
    wanted: dict[Term, tuple[CallSite, str]] = {}
    for name in sorted(names):
        for site in index.sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            for value in program.values(site.call.term.callee, frame):
                word = words.get(value.name) if isinstance(value, Library) else None
                if word in _WORDS:
                    wanted[site.call.term] = (site, str(word))
    if not wanted:
        return
    seen: set[Spot] = set()
    for each in program.ask(Loops).training_passes():
        # What is written down ends after a few rounds.
        if isinstance(each.subject, LITERALS) or in_tests(each.module) or tests_software(program, each.module, each.function):
            continue
        for node in walk(each.body):
            found = wanted.get(node.term) if isinstance(node, CallStep) else None
            if found is None or found[0].function is not each.function or found[0].call.term.site in seen:
                continue
            site, word = found
            why = _resets(wanted, each) if word == "forgets" else _changes(site.call.term, each)
            if why is not None:
                seen.add(site.call.term.site)
                yield Again(each.module, site.call, why, each.spot)


def _resets(wanted: dict[Term, tuple[CallSite, str]], each: Pass) -> Literal["reset"] | None:
    """Whether a reset throws away what was compiled before the loop: a round that compiles its own model begins with one."""
    rounds = (wanted[node.term] for node in walk(each.body) if isinstance(node, CallStep) and node.term in wanted)
    return None if any(word == "compiles" for _, word in rounds) else "reset"


def _changes(call: Call, each: Pass) -> Literal["option", "backend"] | None:
    """What is another thing in each round: an option that the loop hands out, a backend that is defined there."""
    for name, value in call.kwargs:
        if name == _BACKEND and isinstance(value, Nested) and "<lambda" in value.name:
            return "backend"
        for part in parts_of(value):
            if isinstance(part, Element) and made_within(each.function, each.spot, part):
                return "option"
            if isinstance(part, LoopPhi) and (part.line, part.column) == each.spot[:2]:
                return "option"
    return None


__all__ = ["Again", "compiled_again"]
