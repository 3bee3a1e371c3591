"""An expression built anew from its parts: their text as it was written, and nothing where a part or a comment would be lost."""

from __future__ import annotations

import ast

import pytest

from tests.sites.site_texts import SAFE, changed, source_of, spot_of
from trainlint.edits.changes import Rewrite
from trainlint.edits.site import open_site
from trainlint.finding import Spot

ARGUMENT, RECEIVER, FUNCTION = ("argument", 0), ("receiver", 0), ("function", 0)
ALL, REST = ("arguments", 0), ("arguments", 1)
CASES = [
    ("y = log(soft(x, dim=1))\n", "log", "one({0})", [(ARGUMENT, ALL)], "y = one(x, dim=1)\n"),
    ("y = x.soft(-1).log()\n", "x.soft(-1).log", "{0}.one({1})", [(RECEIVER, RECEIVER), (RECEIVER, ALL)], "y = x.one(-1)\n"),
    (
        "y = bce(sig(a + b), t, weight=w)\n",
        "bce",
        "{2}_l({0}{,1})",
        [(ARGUMENT, ARGUMENT), (REST,), (FUNCTION,)],
        "y = bce_l(a + b, t, weight=w)\n",
    ),
    ("y = bce(sig(x))\n", "bce", "l({0}{,1})", [(ARGUMENT, ARGUMENT), (REST,)], "y = l(x)\n"),
    ("y = 2 * soft(a + b)\n", "soft", "{0}", [(ARGUMENT,)], "y = 2 * (a + b)\n"),
    ("y = f(soft(a if c else b))\n", "soft", "{0}", [(ARGUMENT,)], "y = f(a if c else b)\n"),
    ("y = soft(a if c else b).t()\n", "soft(a", "{0}", [(ARGUMENT,)], "y = (a if c else b).t()\n"),
    ("y = log(1 + (a + b))\n", "log", "log1p({0})", [(ARGUMENT, ("right", 0))], "y = log1p(a + b)\n"),
    ("y = log(1 + (a, b))\n", "log", "log1p({0})", [(ARGUMENT, ("right", 0))], "y = log1p((a, b))\n"),
    ("y = log(1 + ((a) + (b)))\n", "log", "log1p({0})", [(ARGUMENT, ("right", 0))], "y = log1p((a) + (b))\n"),
    ("y = soft(input=x)\n", "soft", "{0}", [(("keyword", "input"),)], "y = x\n"),
    ("y = soft(\n    x,\n    dim=1,\n)\n", "soft", "one({0})", [(ALL,)], "y = one(x,\n    dim=1)\n"),
    ("y = soft(\n    x,  # kept\n    dim=1,\n)\n", "soft", "one({0})", [(ALL,)], "y = one(x,  # kept\n    dim=1)\n"),
    ("y = soft(\n    x,  # lost\n)\n", "soft", "{0}", [(ARGUMENT,)], None),
    ("y = soft(*x)\n", "soft", "{0}", [(ARGUMENT,)], None),
    ("y = soft(v for v in x)\n", "soft", "one({0})", [(ALL,)], None),
    ("y = log(x)\n", "log", "log1p({0})", [(ARGUMENT, ("right", 0))], None),
    ("y = soft(x)\n", "soft", "{0}", [(RECEIVER,)], None),
]


@pytest.mark.parametrize(("before", "start", "code", "paths", "after"), CASES)
def test_parts_keep_their_text(
    before: str, start: str, code: str, paths: list[tuple[tuple[str, int | str], ...]], after: str | None
) -> None:
    source = source_of(before)
    spot = spot_of(source, "Call", start)
    site = open_site(source, Spot(1, 0, before.count("\n"), len(before.splitlines()[-1])))
    assert changed(site, Rewrite(*SAFE, spot, code, tuple(paths))) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = exp(x) - 1\n", "y = expm1(x)\n"),
        ("y = z - (exp(x) - 1) * 2\n", "y = z - expm1(x) * 2\n"),
        ("y = f(exp(x) - 1, 2)\n", "y = f(expm1(x), 2)\n"),
        ("y = exp(x)\n", None),
    ],
)
def test_the_operation_around(before: str, after: str | None) -> None:
    source = source_of(before)
    site = open_site(source, Spot(1, 0, 1, len(before) - 1))
    paths = ((("left", 0), ARGUMENT),)
    assert changed(site, Rewrite(*SAFE, spot_of(source, "Call", "exp"), "expm1({0})", paths, around=True)) == after


@pytest.mark.parametrize(
    ("before", "code", "after"),
    [
        ("self.x = [a, b]\n", "L({0})", "self.x = L([a, b])\n"),
        ("self.x: list = []\n", "L()", "self.x: list = L()\n"),
        ("self.x = y = ()\n", "L({0})", "self.x = y = L(())\n"),
    ],
)
def test_the_value_of_an_assignment(before: str, code: str, after: str) -> None:
    node = ast.parse(before).body[0]
    spot = Spot(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
    paths: tuple[tuple[tuple[str, int | str], ...], ...] = ((),) if "{0}" in code else ()
    assert changed(open_site(source_of(before), spot), Rewrite(*SAFE, spot, code, paths)) == after
