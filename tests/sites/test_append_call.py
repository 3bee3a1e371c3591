"""A method called on a part of a statement: the right part, with parentheses where a dot needs them."""

from __future__ import annotations

import ast

import pytest

from tests.sites.site_texts import SAFE, changed, source_of
from trainlint.edits.changes import AppendCall
from trainlint.edits.site import open_site
from trainlint.finding import Spot

ARGUMENT, SECOND = ("argument", 0), ("argument", 1)
CASES = [
    ("t += loss\n", [()], "t += loss.d()\n"),
    ("t += loss * n\n", [()], "t += (loss * n).d()\n"),
    ("t += (loss * n)\n", [()], "t += (loss * n).d()\n"),
    ("t += -loss\n", [()], "t += (-loss).d()\n"),
    ("t += f(x)[0]\n", [()], "t += f(x)[0].d()\n"),
    ("t += a if c else b\n", [()], "t += (a if c else b).d()\n"),
    ("t = t + loss\n", [(("right", 0),)], "t = t + loss.d()\n"),
    ("t = loss * n + t\n", [(("left", 0),)], "t = (loss * n).d() + t\n"),
    ("t = new\n", [(("right", 0),)], "t = new.d()\n"),
    ("t = t + a if t else a\n", [(("then", 0), ("right", 0)), (("else", 0),)], "t = t + a.d() if t else a.d()\n"),
    ("t = t if a else b\n", [(("test", 0),)], "t = t if a.d() else b\n"),
    ("t: float = t + loss\n", [(("right", 0),)], "t: float = t + loss.d()\n"),
    ("m.update(loss, n)\n", [(ARGUMENT,)], "m.update(loss.d(), n)\n"),
    ("m.update(n, loss / 2)\n", [(SECOND,)], "m.update(n, (loss / 2).d())\n"),
    ("m.update(value=loss)\n", [(("keyword", "value"),)], "m.update(value=loss.d())\n"),
    ("xs.append({'a': a, 'n': 1, 'b': b})\n", [(ARGUMENT, ("value", 0)), (ARGUMENT, ("value", 2))], None),
    ("xs.append((1, loss))\n", [(ARGUMENT, ("item", 1))], "xs.append((1, loss.d()))\n"),
    ("xs += [loss]\n", [(("item", 0),)], "xs += [loss.d()]\n"),
    ("xs.append(\n    loss  # kept\n)\n", [(ARGUMENT,)], "xs.append(\n    loss.d()  # kept\n)\n"),
    ("xs.append(log)\n", [(ARGUMENT, ("value", 0))], ""),
    ("xs.append(*log)\n", [(ARGUMENT,)], ""),
    ("xs.append()\n", [(ARGUMENT,)], ""),
    ("xs += {**log}\n", [(("value", 0),)], ""),
]


@pytest.mark.parametrize(("before", "paths", "after"), CASES)
def test_the_part_and_nothing_else(before: str, paths: list[tuple[tuple[str, int | str], ...]], after: str | None) -> None:
    if after is None:
        after = "xs.append({'a': a.d(), 'n': 1, 'b': b.d()})\n"
    node = ast.parse(before).body[0]
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    spot = Spot(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    site = open_site(source_of(before), spot)
    assert changed(site, AppendCall(*SAFE, spot, tuple(paths), "d()")) == (after or None)
