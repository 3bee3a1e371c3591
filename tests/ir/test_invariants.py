"""What holds for every lowered program, on random ones; and that each of the checks can fail."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.ir.programs import PROGRAMS
from tests.ir.revealing import all_terms, check, lowered, reachable, statements
from trainlint.app.dev.ir import lines
from trainlint.finding import Spot
from trainlint.ir.nodes import Not, Term
from trainlint.ir.sketch import CallStep, Module
from trainlint.ir.terms import DEEPEST, Terms

RANDOM = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def inside(inner: Spot, outer: Spot) -> bool:
    return (outer.line, outer.column) <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= (
        outer.end_line,
        outer.end_column,
    )


def strays(module: Module) -> list[CallStep]:
    """Calls that do not stand in the statement that they say."""
    return [node for node in statements(module) if isinstance(node, CallStep) and not inside(node.term.site, node.statement)]


def terms_of(module: Module) -> set[Term]:
    return all_terms(thing for thing in reachable(module) if isinstance(thing, Term))


def twins(terms: set[Term]) -> list[Term]:
    """Terms that say what another one says."""
    known: dict[Any, Term] = {}
    return [term for term in terms if known.setdefault((type(term), term.parts), term) is not term]


def nodes(root: object) -> Iterator[object]:
    return (thing for thing in reachable(root) if isinstance(thing, ast.AST))


def text(module: Module) -> str:
    return "\n".join(lines(module))


@RANDOM
@given(PROGRAMS)
def test_random_programs(source: str) -> None:
    module = lowered(source)

    assert strays(module) == []
    assert twins(terms_of(module)) == []
    assert list(nodes(module)) == []
    assert text(lowered(source)) == text(module)
    assert text(pickle.loads(pickle.dumps(module))) == text(module)  # noqa: S301 - ours


def test_the_spot_check_can_fail() -> None:
    module = lowered("a(1)\nb(2)\n")
    first, second = (node for node in statements(module) if isinstance(node, CallStep))
    module.functions["<module>"].body = (CallStep(first.term, second.statement),)
    assert strays(module) != []


def test_a_guard_after_a_case_stands_in_the_match() -> None:
    assert strays(lowered("match a:\n    case 1:\n        b()\n    case c if d():\n        b()\n")) == []


def test_the_twin_check_can_fail() -> None:
    one, other = Terms().const(1), Terms().const(1)
    assert one is not other
    assert len(twins({one, other})) == 1


def test_equal_forms_are_one_object() -> None:
    module = lowered("def f(c):\n    if c:\n        x = 1\n    else:\n        x = 2\n    g(x, 1 if c else 2)\n")
    (call,) = (node.term for node in statements(module) if isinstance(node, CallStep))
    assert call.args[0] is call.args[1]


def test_the_tree_check_can_fail() -> None:
    module = lowered("a = 1")
    module.names["hidden"] = ((1, [ast.Name("a")]),)  # type: ignore[assignment]
    assert len(list(nodes(module))) >= 1


def test_the_text_tells_programs_apart() -> None:
    assert text(lowered("a(1)")) != text(lowered("a(2)"))


def test_identity_survives_pickling_within_a_module() -> None:
    module = pickle.loads(pickle.dumps(lowered("def f(c):\n    a(c.x)\n    b(c.x)\n")))  # noqa: S301 - ours
    first, second = (node.term for node in statements(module) if isinstance(node, CallStep))
    assert first.args[0] is second.args[0]


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    reveal(x)  # reveals: y\n",
        "def f(x):\n    reveal(x)\n    reveal(x)  # reveals: x\n",
        "def f(x):\n    return\n    reveal(x)  # reveals: x\n",
        "def f(x):\n    reveal(x)\n",
    ],
    ids=["wrong", "not said", "never lowered", "nothing said"],
)
def test_the_reveal_check_can_fail(source: str) -> None:
    with pytest.raises(AssertionError):
        check(source)


def depth(term: Term) -> int:
    """Levels of a term, without recursion."""
    levels, layer = 0, {term}
    while layer:
        levels += 1
        layer = {below for one in layer for below in one.subterms()}
    return levels


@pytest.mark.parametrize(
    "line",
    [
        "x = x + y", "x = [x]", "x = x.next", "x = x.step()", "x, _ = x", "x = -x if y else x", "x = not x", "x = a(x)",
        "with x as x: pass", "for x in x: pass", "x = x[0]", "x += y", "x = x and y", "x = {x: y}", "a.x = a.x + y; x = a.x",
    ],
)  # fmt: skip
def test_terms_stay_shallow_however_long_a_value_is_passed_on(line: str) -> None:
    module = lowered("def f(x, y, a):\n" + f"    {line}\n" * 600 + "    g(x)\n")
    deepest = max(map(depth, (node.term for node in statements(module) if isinstance(node, CallStep))))
    assert deepest <= 2 * DEEPEST
    assert len(pickle.dumps(module)) > 0


def test_depth_counts_levels() -> None:
    terms = Terms()
    term: Term = terms.const(1)
    for _ in range(5000):
        term = terms.make(Not, term)
    assert depth(term) == 5001
