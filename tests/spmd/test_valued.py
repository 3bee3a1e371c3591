"""What is known of each expression of the small programs that other tests analyse is what it was: no change is unseen.

``test_expressions.py`` and ``test_random_values.py`` say what is right; here a change shows that no rule's words show.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.spmd import valued

#: Of so many groups of programs one is looked at by default, in turn.
TURNS = 12


def in_turn() -> list[Any]:
    """The groups, all but some of them heavy."""
    return [
        pytest.param(group, id=group, marks=() if number % TURNS == 0 else (pytest.mark.heavy,))
        for number, group in enumerate(valued.groups())
    ]


@pytest.mark.parametrize("group", in_turn())
def test_what_is_known_of_expressions_is_what_is_kept(group: str) -> None:
    assert list(valued.digests(valued.groups()[group])) == valued.kept().get(group, []), (
        "python -m tests.spmd.valued NAME shows what is known; if it is right: python -m tests.spmd.valued"
    )


def lines(tmp_path: Path, source: str) -> list[str]:
    ast.parse(source)
    (tmp_path / "train.py").write_text(source, encoding="utf-8")
    return (valued.told(tmp_path) or "").splitlines()


def test_values_and_ranks_are_told(tmp_path: Path) -> None:
    found = lines(tmp_path, "import torch.distributed as dist\n\n\ndef f(x):\n    g(dist.get_rank() * 2, x, x, os.getpid())\n")
    assert [line.partition("; ")[2] for line in found if line.startswith("(torch.distributed.get_rank() Mult 2)")] == [
        "int 0 | int 2 | int 4 | int 6"
    ]
    assert [line.partition(":")[2] for line in found if line.startswith("x: ")] == [" Other(x, in f); Sym(#0)"]


def test_where_versions_of_python_differ_nothing_is_told(tmp_path: Path) -> None:
    assert lines(tmp_path, "x = f'{y}'\n") == []
