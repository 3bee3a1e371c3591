"""What is said of an expectation case does not change when others, or the same once more, stand beside it."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests import together

TURNS = 40


def in_turn(names: list[str], turns: int) -> list[Any]:
    """All but some of the names are heavy."""
    return [
        pytest.param(name, id=name, marks=() if number % turns == 0 else (pytest.mark.heavy,))
        for number, name in enumerate(names)
    ]


@pytest.mark.parametrize("code", in_turn(list(together.folders()), TURNS))
def test_cases_side_by_side_are_what_they_are_alone(code: str) -> None:
    assert together.side_by_side(code) == []


TWICE = [each for each in together.files() if each not in together.ONCE | together.UNFOLLOWED]


@pytest.mark.parametrize("case", in_turn(TWICE, TURNS))
def test_what_stands_there_twice_is_reported_twice(case: str) -> None:
    assert together.said_twice(case)


@pytest.mark.xfail(reason="methods are followed by their name, files are told apart by theirs", strict=True)
@pytest.mark.parametrize("case", sorted(together.UNFOLLOWED))
def test_what_a_second_copy_disturbs(case: str) -> None:
    assert together.said_twice(case)


def test_the_second_copy_has_names_of_its_own() -> None:
    text = "from __future__ import annotations\nn = 1\n\n\ndef f(n):\n    return f(n=n) + torch.f(n)\n"
    again = "n_again = 1\n\n\ndef f_again(n_again):\n    return f_again(n=n_again) + torch.f(n_again)\n"
    assert together.twice(text) == text + again
    ast.parse(text + again)
