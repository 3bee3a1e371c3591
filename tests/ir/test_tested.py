"""Which tests lead to a statement, and whether one run may come to two of them."""

from __future__ import annotations

from itertools import combinations

from tests.ir.revealing import lowered
from trainlint.ir.control_dependence import Led, conditions, meet, walk_tested
from trainlint.ir.nodes import Not, Term
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep

SOURCE = """
def f(a, b):
    one()
    if a:
        two()
    else:
        three()
    if not a:
        four()
        return
    elif b:
        return
    five()
    try:
        six()
    except ValueError:
        seven()
    except KeyError:
        eight()
    else:
        nine()
    for x in b:
        if x:
            continue
        ten()
    with b:
        eleven()
"""
LED = {
    "one": "",
    "two": "a",
    "three": "not a",
    "four": "not a",
    "five": "a, not b",
    "six": "a, not b",
    "seven": "a, not b, failed 0",
    "eight": "a, not b, failed 1",
    "nine": "a, not b",
    "ten": "a, not b, not each",
    "eleven": "a, not b",
}
#: The only ones to which no run comes together.
APART = {("two", "three"), ("two", "four")} | {
    (one, other) for one in ("three", "four") for other in LED if "a, not b" in LED[other]
}


def led() -> dict[str, Led]:
    """By the name of what is called: the tests that lead there."""
    walked = walk_tested(lowered(SOURCE).functions["f"].body)
    return {show(node.term.callee).rpartition(".")[2]: tests for node, tests in walked if isinstance(node, CallStep)}


def said(tests: Led) -> str:
    parts = []
    for test, arm in tests:
        if isinstance(test, Term):
            inverted = isinstance(test, Not)
            name = show(test.operand if isinstance(test, Not) else test).partition("(")[0] or "each"
            parts.append(name if arm != inverted else f"not {name}")
        else:
            parts.append(f"failed {test.handler}")
    return ", ".join(parts)


def test_what_leads_to_each_statement() -> None:
    assert {name: said(tests) for name, tests in led().items()} == LED


def test_whether_one_run_comes_to_both() -> None:
    found = led()
    assert {pair for pair in combinations(LED, 2) if not meet(found[pair[0]], found[pair[1]])} == APART
    assert {pair for pair in combinations(LED, 2) if not meet(found[pair[1]], found[pair[0]])} == APART


def test_handlers_are_no_conditions() -> None:
    assert len(conditions(led()["eight"])) == len(led()["six"])
