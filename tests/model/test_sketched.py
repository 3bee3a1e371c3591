"""All that the model keeps of the small programs that other tests analyse is what it was: nothing changes there unseen.

Whether it is right, the other tests of this folder say, and all that asks the model; here a change shows that none of them sees.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.model import sketched

#: Of so many groups of programs one is looked at by default, in turn.
TURNS = 6


def in_turn() -> list[Any]:
    """The groups, all but some of them heavy."""
    return [
        pytest.param(group, id=group, marks=() if number % TURNS == 0 else (pytest.mark.heavy,))
        for number, group in enumerate(sketched.groups())
    ]


@pytest.mark.parametrize("group", in_turn())
def test_the_model_of_a_program_is_the_one_that_is_kept(group: str) -> None:
    assert list(sketched.digests(sketched.groups()[group])) == sketched.kept().get(group, []), (
        "python -m tests.model.sketched FILE shows what is kept of it; if it is right: python -m tests.model.sketched"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a):\n    g(a)\n", "def f(a):\n    g( a)\n"),
        ("def f(a):\n    return a\n", "def f(a):\n    return\n"),
        ("x = 1\n", "x = True\n"),
        ("def f(a=1):\n    pass\n", "def f(a=2):\n    pass\n"),
        ("for x in a:\n    f()\nelse:\n    g()\n", "for x in a:\n    f()\ng()\n"),
    ],
)
def test_another_program_has_another_text(one: str, other: str) -> None:
    assert sketched.sketched(one) != sketched.sketched(other)


def test_what_is_no_program_of_this_python_has_none() -> None:
    assert sketched.sketched("f(") is None
    assert sketched.sketched("x = f'{y}'\n") is None
