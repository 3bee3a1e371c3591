from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sites.site_texts import source_of, spot_of
from trainlint.edits.site import SiteRefused, SiteTooComplex, open_site, stands
from trainlint.finding import Spot
from trainlint.source.text import Source

OPENABLE = {
    "plain": "f(x)\n",
    "no line end": "f(x)",
    "indented": "def g():\n    f(x)\n",
    "tabs": "def g():\n\tif a:\n\t\tf(x)\n",
    "tab and blanks": "if a:\n\tif b:\n\t    f(x)\n",
    "CRLF": "if a:\r\n    f(\r\n        x)\r\n",
    "CR": "if a:\r    f(x)\r",
    "form feed line": "if a:\n    y = 1\n\f\n    f(x)\n",
    "form feed before": "\fif a:\n    f(x)\n",
    "first of two": "f(x); g(y)\n",
    "second of two": "g(y); f(x)\n",
    "behind a colon": "if a: f(x)\n",
    "behind else": "if a:\n    pass\nelse: f(x)\n",
    "behind finally": "try: pass\nfinally: f(x)\n",
    "behind case": "match a:\n    case 1: f(x)\n",
    "after a string's end": 'y = """\n  a\n"""; f(x)\n',
    "before a string": 'f(x); y = """\n  a\n"""\n',
    "after a bracket's end": "y = [\n1]; f(x)\n",
    "string value": 'def g():\n    y = f(x, """\nb\n  c""")\n',
    "continuation": "def g():\n    y = \\\n  f(x)\n",
    "not ASCII": "def g():\n    größe = 'äöü€🎉' + f(x)\n",
    "decorated": "@d\ndef g():\n    f(x)\n",
    "async": "async def g():\n    await f(x)\n    async for y in z:\n        yield y\n",
    "elif": "if a:\n    pass\nelif b:\n    f(x)\nelse:\n    pass\n",
    "indented elif": "def g():\n    if a:\n        pass\n    elif f(x):\n        pass\n",
    "trailing semicolon": "while a:\n    f(x);\n",
}
#: An expression that is no statement without the brackets that it stands in: its text, and what it is cut from.
BRACKETED = {
    "named": ("(y := f(x))\n", "y := f(x)"),
    "named, below a lambda": ("g(lambda: (y := f(x)))\n", "y := f(x)"),
    "named, in a generator": ("if a:\n    g((y := f(x)) for x in z)\n", "y := f(x)"),
}


@pytest.mark.parametrize("text", OPENABLE.values(), ids=OPENABLE.keys())
def test_every_statement_around_a_call_is_opened_and_confirms_itself_and_the_call(text: str) -> None:
    source = source_of(text)
    call = spot_of(source, "Call", "f(")
    around = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            spot = Spot(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            site = open_site(source, spot)
            assert site.confirm(type(node).__name__, spot)
            if spot[:2] <= call[:2] and call[2:] <= spot[2:]:
                around += 1
                assert site.confirm("Call", call)
                assert not site.confirm("Call", call._replace(end_column=call.end_column - 1))
    assert around


@pytest.mark.parametrize(("text", "piece"), BRACKETED.values(), ids=BRACKETED.keys())
def test_an_expression_that_is_no_statement_is_opened(text: str, piece: str) -> None:
    source = source_of(text)
    assert open_site(source, spot_of(source, "NamedExpr", piece)).confirm("Call", spot_of(source, "Call", "f("))


@pytest.mark.parametrize("text", ["if a:\n    pass\nelse:\n    f()\n", "try:\n    pass\nfinally:\n    f()\n"])
def test_parts_that_no_statement_is_are_refused(text: str) -> None:
    with pytest.raises(SiteRefused, match="cannot begin"):
        open_site(source_of(text), Spot(3, 0, 4, 7))


@pytest.mark.parametrize("spot", [Spot(0, 0, 1, 1), Spot(9, 0, 9, 1), Spot(1, 0, 9, 1), Spot(2, 0, 2, 0), Spot(1, 0, 1, 3)])
def test_a_spot_where_no_statement_stands_is_refused(spot: Spot) -> None:
    with pytest.raises(SiteRefused):
        open_site(source_of("if a:\n\n    f()\n"), spot)


def test_a_site_that_libcst_does_not_give_back_is_refused() -> None:
    # libcst repeats the first line's form feed on the second: the text would not be the file's.
    text = "if a:\n  \f    x\n    y\n"
    ast.parse(text)
    with pytest.raises(SiteRefused, match="byte for byte"):
        open_site(source_of(text), Spot(1, 0, 3, 5))
    assert open_site(source_of(text), Spot(2, 7, 2, 8)).confirm("Expr", Spot(2, 7, 2, 8))


def test_what_libcst_refuses_stands_in_pythons_own_tree() -> None:
    source = source_of("if a:\n  \f    f(x)\n    y += 1\n")
    assert stands(source, "Call", Spot(2, 7, 2, 11))
    assert stands(source, "Call", Spot(3, 4, 3, 10))
    assert stands(source, "If", Spot(1, 0, 3, 10))
    assert not stands(source, "For", Spot(1, 0, 3, 10))
    assert not stands(source, "Call", Spot(2, 7, 2, 10))
    assert not stands(source_of("if a\n"), "If", Spot(1, 0, 1, 4))


def test_half_a_character_is_refused() -> None:
    cell = {"cell_type": "code", "source": "x = '\ud800'", "metadata": {}, "outputs": []}
    cells = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4})
    source = Source.from_bytes(Path("a.ipynb"), cells.encode())
    row = next(number for number, line in enumerate(source.lines, 1) if line.startswith("x"))
    with pytest.raises(SiteRefused):
        open_site(source, Spot(row, 0, row, 7))


TOO_COMPLEX = {
    "and": "x = " + " and ".join(["a"] * 8_000),
    "sum": "x = " + " + ".join(["a"] * 2_000),
    "comparison": "x = " + " < ".join(["a"] * 2_000),
    "calls": "x = a" + ".b()" * 10_000,
    "attributes": "x = a" + ".b" * 2_000,
    "not": "x = " + "not " * 2_000 + "a",
    "conditional": "x = " + "a if b else " * 1_000 + "c",
    "strings": "x = (" + "'a' " * 10_000 + ")",
    "f-strings": "x = (" + "f'{a}' " * 10_000 + ")",
    "elif": "if a:\n    b\n" + "elif a:\n    b\n" * 10_000,
}


@pytest.mark.parametrize("text", TOO_COMPLEX.values(), ids=TOO_COMPLEX.keys())
def test_what_would_crash_libcst_is_not_given_to_it(text: str) -> None:
    with pytest.raises(SiteTooComplex):
        open_site(source_of(text), Spot(1, 0, len(text.splitlines()), len(text.splitlines()[-1])))


STILL_FINE = {
    "and": "x = " + " and ".join(["a"] * 490),
    "sum": "x = " + " + ".join(["a"] * 490),
    "calls": "x = a" + ".b()" * 240,
    "not": "x = " + "not " * 490 + "a",
    "conditional": "x = " + "a if b else " * 490 + "c",
    "strings": "x = (" + "'a' " * 490 + ")",
    "elif": "if a:\n    b\n" + "elif a:\n    b\n" * 490,
    "a long list": "x = [" + "-a + b, " * 3_000 + "]",
    "many strings": "x = [" + "'a', " * 3_000 + "]",
}


@pytest.mark.parametrize("text", STILL_FINE.values(), ids=STILL_FINE.keys())
def test_what_is_long_but_not_deep_is_opened(text: str) -> None:
    statement = ast.parse(text).body[0]
    spot = Spot(1, 0, statement.end_lineno or 0, statement.end_col_offset or 0)
    limit = sys.getrecursionlimit()
    assert open_site(source_of(text), spot).confirm(type(statement).__name__, spot)
    assert sys.getrecursionlimit() == limit


def test_libcst_is_loaded_by_opening_a_site_only() -> None:
    code = "import sys, trainlint.edits.site, trainlint.edits.apply, trainlint.edits.apply; print('libcst' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
