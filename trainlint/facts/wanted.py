"""What somebody asked for: a call that runs under a test, or in something whose name says what it is there for."""

from __future__ import annotations

from trainlint.facts.calls import CallSite, calls
from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.model.sketch import Block, Call, If
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import Failed, walk_tested
from trainlint.model.walk import walk

#: Callers up that are asked whether they test something first.
_DEEPEST = 3


def asked_for(program: Program, site: CallSite, words: frozenset[str], depth: int = _DEEPEST) -> bool:
    """Whether a test leads to a call, or to all calls of its function, or a name with one of the words says why it is made."""
    if any(word in site.function.qualname.lower() for word in words):
        return True
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    if any(_holds(site.function.body, test, site.call) or _speaks(test, words) for test, _ in led):
        return True
    sites = [each for each in calls(program).callers(site.function) if each.function is not site.function]
    return bool(sites) and depth > 0 and all(asked_for(program, each, words, depth - 1) for each in sites)


def _holds(block: Block, test: Term | Failed, call: Call) -> bool:
    """Whether a call stands in an arm of a test (or in a handler), not only behind a way out."""
    if isinstance(test, Failed):
        return True
    return any(isinstance(node, If) and node.condition is test and node.spot.holds(Spot(*call.term[4])) for node in walk(block))


def _speaks(test: Term | Failed, words: frozenset[str]) -> bool:
    """Whether a test has a name that speaks of what is looked for."""
    if isinstance(test, Failed):
        return True
    names = (part[-1] for part in parts_of(test) if part[0] in ("p", "a", "g", "r"))
    return any(word in str(name).lower() for name in names for word in words)
