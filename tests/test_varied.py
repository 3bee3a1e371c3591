"""What is said of expectation cases with one small change is kept: one in so many cases here, all of them under `heavy`."""

from __future__ import annotations

from typing import Any

import pytest

from tests import varied

TURNS = 120


def in_turn() -> list[Any]:
    """The cases by name, all but some of them heavy."""
    return [
        pytest.param(name, id=name, marks=() if number % TURNS == 0 else (pytest.mark.heavy,))
        for number, name in enumerate(varied.cases())
    ]


@pytest.mark.parametrize("case", in_turn())
def test_what_is_said_of_changes_is_what_is_kept(case: str) -> None:
    said = [each.line for each in varied.varied(case)]
    assert said == varied.kept(case), (
        f"read the difference (python -m tests.varied {case}); if it is right: python -m tests.varied"
    )


def test_every_case_is_there_and_no_other() -> None:
    kept = {f"{path.stem}/{name}" for path in varied.FOLDER.iterdir() for name in varied.said.kept(path)}
    assert kept == set(varied.cases())


def test_changes_are_many_and_of_all_kinds() -> None:
    lines = [line.partition(" -> ") for case in varied.cases() for line in varied.kept(case)]
    assert len(lines) > 0.9 * varied.LEAST * len(varied.cases())
    for kind in varied.KINDS:
        assert sum(f"{kind.__name__.strip('_').replace('_', ' ')} " in name for name, _, _ in lines) > 50, kind


SOURCE = """\
import torch


def fit(model, loader, optimizer):
    for batch in loader:
        loss = model(batch, mode=1).sum()
        if loss > 2:
            loss.backward()
            optimizer.step()
    print(loss)
"""


def made(kind: str) -> list[str]:
    """What the changes of a kind make of the lines in which they differ."""
    rows = SOURCE.splitlines()
    texts = [each.text.splitlines() for each in varied.changes(SOURCE) if each.kind == kind]
    return ["; ".join(row.strip() for row in text if row not in rows) for text in texts]


@pytest.mark.parametrize(
    ("kind", "some"),
    [
        ("left out", "pass"),
        ("unguarded", "if not (loss > 2):"),
        ("unguarded", "if True:"),
        ("compared", "if (loss) >= (2):"),
        ("constant", "loss = model(batch, mode=2).sum()"),
        ("without argument", "loss = model(mode=1).sum()"),
        ("without argument", "loss = model(batch, mode=unknown).sum()"),
        ("bare", "loss = model(batch, mode=1)"),
        ("another name", "print(model)"),
        ("moved out", "optimizer.step()"),
        ("moved in", "print(loss)"),
        ("in other order", ""),
        ("twice", ""),
    ],
)
def test_a_change_is_what_its_name_says(kind: str, some: str) -> None:
    assert some in made(kind)


def test_changes_of_order_keep_all_lines() -> None:
    orders = [each.text for each in varied.changes(SOURCE) if each.kind == "in other order"]
    assert orders
    assert all(sorted(text.splitlines()) == sorted(SOURCE.splitlines()) for text in orders)
