"""Groups that nobody gave more time, though all wait for one process that works alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.groups.leading import Leading
from trainlint.facts.groups.started import Start, starts
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Library
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import NAMES, BoolOp, Compare, Const, ItemDisplay, Not, Term
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of

_TIMEOUT = "timeout"
#: How a rank is compared with the first one, and words that name a number.
_COMPARED = ("Eq", "NotEq", "In", "NotIn", "Gt")
_NUMBERS = {"rank"}


class Impatient(NamedTuple):
    """A start without a timeout; ``alone`` is a call that one process makes, and ``wait`` where the others wait for it."""

    start: Start
    alone: CallSite
    wait: CallSite
    timeout: str


def impatient(program: Program) -> Iterator[Impatient]:
    """Each such start, once for each file."""
    seen: set[str] = set()
    for alone, wait in program.ask(_waits) if program.ask(starts) else ():
        start = program.ask(Leading).above(wait.function)
        if start is None or start.site.module in seen or start.given(program, _TIMEOUT) is not None:
            continue
        if any(name is None for name, _ in start.site.call.term.kwargs):
            continue  # ``**kwargs`` may hold one
        module = start.site.module
        seen.add(module)
        name = reference("datetime.timedelta", program.modules[module]) or "datetime.timedelta"
        yield Impatient(start, alone, wait, f"{name}(hours=1)")


def _waits(program: Program) -> tuple[tuple[CallSite, CallSite], ...]:
    """Where one process does something long while the others are at a barrier, in one function."""
    return tuple(_found(program))


def _found(program: Program) -> Iterator[tuple[CallSite, CallSite]]:
    words = program.knowledge.tables["groups"]
    functions: dict[int, CallSite] = {}
    ids: set[int] = set()
    for name in sorted({name.rpartition(".")[2] for name in words["waits"]}):
        for site in program.ask(CallGraph).sites_named(name):
            targets = program.ask(CallGraph).targets(site.call.term, program.frame(site.module, site.function))
            if any(isinstance(target, Library) and target.name in words["waits"] for target in targets):
                functions.setdefault(id(site.function), site)
                ids.add(id(site.call))
    for site in functions.values():
        alone = _alone(site, words["one"], words["long"], frozenset(ids))
        if alone is not None and not tests_software(program, site.module, site.function):
            yield alone


def _alone(site: CallSite, one: list[str], long: list[str], waits: frozenset[int]) -> tuple[CallSite, CallSite] | None:
    """The first long call that one process makes while the others wait, in the function of a wait, and that wait.

    Either a test lets one in, and the wait follows; or the others wait first, until that one comes to a wait of its own.
    """
    led = {id(node): tests for node, tests in walk_tested(site.function.body) if isinstance(node, CallStep)}
    order = calls_of(site.function)
    for number, call in enumerate(order):
        if not _is_long(call, long):
            continue
        before = [each for each in order[:number] if id(each) in waits and _turn(led[id(each)], one)]
        behind = [each for each in order[number + 1 :] if id(each) in waits]
        if behind and _turn(led[id(call)], one):
            return CallSite(site.module, site.function, call), site._replace(call=behind[0])
        if before and behind and _turn(led[id(behind[0])], one):
            return CallSite(site.module, site.function, call), site._replace(call=before[-1])
    return None


def _is_long(call: CallStep, words: list[str]) -> bool:
    name = (last_name(call.term.callee) or "").lower()
    return any(word in name for word in words) or any(
        key == "download" and isinstance(value, Const) and value.value is True for key, value in call.term.kwargs
    )


def _turn(led: Led, words: list[str]) -> bool:
    """Whether a test lets one process in, or all but one: its rank is compared with 0, or its name says that it is the first."""
    return any(not isinstance(test, Failed) and _is_one(test, set(words)) for test, _ in led)


def _is_one(test: Term, words: set[str]) -> bool:
    if isinstance(test, (Not, BoolOp)):
        return any(_is_one(each, words) for each in ((test.operand,) if isinstance(test, Not) else test.operands))
    if not _names(test) & words:
        return False
    if isinstance(test, Compare):
        return test.op in _COMPARED and any(_is_zero(side) for side in (test.left, test.right))
    return bool(_names(test) & (words - _NUMBERS))


def _is_zero(term: Term) -> bool:
    items = term.items if isinstance(term, ItemDisplay) and type(term.items) is tuple else (term,)
    return any(isinstance(each, Const) and each.value == 0 and each.value is not False for each in items)


def _names(test: Term) -> set[str]:
    found: set[str] = set()
    for part in parts_of(test):
        if isinstance(part, NAMES):
            text = part.name.lower()
            found.update(text.replace(".", "_").split("_"))
    return found
