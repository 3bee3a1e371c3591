from __future__ import annotations

import ast

import pytest

from tests.sites.site_texts import SAFE, changed, source_of, spot_of
from trainlint.edits.changes import Replace
from trainlint.edits.site import open_site

CASES = [
    ("y = old\n", "new(1)", "y = new(1)\n"),
    ("y = old * 2\n", "a * b", "y = a * b * 2\n"),
    ("y = old * 2\n", "a + b", "y = (a + b) * 2\n"),
    ("y = 2 * old\n", "a * b", "y = 2 * (a * b)\n"),
    ("y = (old) * 2\n", "a + b", "y = (a + b) * 2\n"),
    ("y = old.b\n", "1", "y = (1).b\n"),
    ("y = not old\n", "a or b", "y = not (a or b)\n"),
    ("y = not old\n", "a == b", "y = not a == b\n"),
    ("f(old)\n", "a if b else c", "f(a if b else c)\n"),
    ("f(old)\n", "a, b", "f((a, b))\n"),
    ("y = old if c else d\n", "lambda: 1", "y = (lambda: 1) if c else d\n"),
    ("y = old\n", "a +\nb", "y = (a +\nb)\n"),
    ("y = old\r\n", "f(a,\nb)", "y = f(a,\r\nb)\r\n"),
    ("def g():\n    é = 'ü', old\n", "a", "def g():\n    é = 'ü', a\n"),
    ("y = [1]if(old)else 2\n", "a", "y = [1]if(a)else 2\n"),
    ("y = old\n", "a b", None),
]


@pytest.mark.parametrize(("before", "code", "after"), CASES)
def test_parentheses_come_where_they_are_needed(before: str, code: str, after: str | None) -> None:
    source = source_of(before)
    whole = ast.parse(before).body[0]
    statement = spot_of(source, type(whole).__name__, before[:2])
    site = open_site(source, statement)
    assert changed(site, Replace(*SAFE, spot_of(source, "Name", "old"), code)) == after


def test_where_nobody_knows_the_surroundings_parentheses_are_taken_for_granted() -> None:
    source = source_of("y = old * 2\nz = 1\n")
    site = open_site(source, spot_of(source, "Assign", "z"))
    spot = spot_of(source, "Name", "old")
    assert changed(site, Replace(*SAFE, spot, "a + b")) == "y = (a + b) * 2\nz = 1\n"
    assert changed(site, Replace(*SAFE, spot, "a.b(c)")) == "y = a.b(c) * 2\nz = 1\n"
    assert changed(open_site(source, spot), Replace(*SAFE, spot, "a + b")) == "y = (a + b) * 2\nz = 1\n"


def test_what_is_no_expression_is_not_replaced() -> None:
    source = source_of("del x, y\n")
    spot = spot_of(source, "Delete", "del")
    assert open_site(source, spot).edits(Replace(*SAFE, spot, "a")) is None
