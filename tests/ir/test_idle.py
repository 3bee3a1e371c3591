"""Branches that only choose values: the body leaves them out, the function notes them."""

from __future__ import annotations

import pytest

from tests.ir.revealing import lowered, statements
from trainlint.ir.printer import show
from trainlint.ir.sketch import If

CHOICE = "def f(a):\n    return 1 if a > 0 else 2\n"
CHAIN = "def f(a, b):\n    if a > 0:\n        x = 1\n    elif b:\n        x = 2\n    return x\n"


@pytest.mark.parametrize(("source", "tests"), [(CHOICE, ["(a Gt 0)"]), (CHAIN, ["b", "(a Gt 0)"])])
def test_what_only_chooses_is_noted(source: str, tests: list[str]) -> None:
    module = lowered(source)
    assert [show(node.condition) for node in module.functions["f"].idle] == tests
    assert not any(isinstance(node, If) for node in statements(module))


@pytest.mark.parametrize("test", ["a is None", "a is not None", "[x for x in a]"])
def test_what_asks_about_no_value_is_not(test: str) -> None:
    assert lowered(f"def f(a):\n    return 1 if {test} else 2\n").functions["f"].idle == ()


def test_a_branch_that_does_something_stands_in_the_body() -> None:
    module = lowered("def f(a):\n    return g() if a else 2\n")
    assert module.functions["f"].idle == ()
    assert any(isinstance(node, If) for node in statements(module))
