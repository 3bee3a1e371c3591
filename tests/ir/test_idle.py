"""Branches that only choose values run nothing: they are choices."""

from __future__ import annotations

import pytest

from tests.ir.revealing import lowered
from trainlint.ir.printer import show
from trainlint.ir.sketch import If
from trainlint.ir.walk import choices, of_kind

CHOICE = "def f(a):\n    return 1 if a > 0 else 2\n"
CHAIN = "def f(a, b):\n    if a > 0:\n        x = 1\n    elif b:\n        x = 2\n    return x\n"


@pytest.mark.parametrize(("source", "tests"), [(CHOICE, ["(a Gt 0)"]), (CHAIN, ["(a Gt 0)", "b"])])
def test_what_only_chooses_is_a_choice(source: str, tests: list[str]) -> None:
    function = lowered(source).functions["f"]
    assert [show(node.condition) for node in choices(function)] == tests
    assert of_kind(function, If) == ()


@pytest.mark.parametrize("test", ["a is None", "a is not None", "[x for x in a]"])
def test_what_asks_about_no_value_is_not(test: str) -> None:
    assert choices(lowered(f"def f(a):\n    return 1 if {test} else 2\n").functions["f"]) == ()


def test_a_branch_that_does_something_stands_in_the_body() -> None:
    function = lowered("def f(a):\n    return g() if a else 2\n").functions["f"]
    assert choices(function) == ()
    assert len(of_kind(function, If)) == 1
