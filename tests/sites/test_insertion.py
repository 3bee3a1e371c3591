from __future__ import annotations

import pytest

from tests.sites.site_texts import SAFE, changed, inserted_first, source_of, spot_of
from trainlint.edits.changes import InsertAfter, InsertBefore, InsertFirst
from trainlint.edits.site import open_site
from trainlint.finding import Spot

FIRST = {
    "block": ("for x in y:\n    f(x)\n", "for x in y:\n    new()\n    f(x)\n"),
    "comments stay above their statement": (
        "for x in y:  # epochs\n\n    # about f\n    f(x)\n",
        "for x in y:  # epochs\n    new()\n\n    # about f\n    f(x)\n",
    ),
    "header over lines": ("for x in range(\n    10,\n):\n    f(x)\n", "for x in range(\n    10,\n):\n    new()\n    f(x)\n"),
    "CRLF": ("for x in y:\r\n    f(x)\r\n", "for x in y:\r\n    new()\r\n    f(x)\r\n"),
    "CR": ("for x in y:\r    f(x)\r", "for x in y:\r    new()\r    f(x)\r"),
    "tabs": ("if a:\n\tfor x in y:\n\t\tf(x)\n", "if a:\n\tfor x in y:\n\t\tnew()\n\t\tf(x)\n"),
    "no line end": ("for x in y:\n  f(x)", "for x in y:\n  new()\n  f(x)"),
    "decorated first": ("for x in y:\n  @d\n  def f(): pass\n", "for x in y:\n  new()\n  @d\n  def f(): pass\n"),
    "one line": ("for x in y: f(x)  # go\n", "for x in y:\n    new()\n    f(x)  # go\n"),
    "one line of two": ("for x in y: f(x); g(x)\n", "for x in y:\n    new()\n    f(x); g(x)\n"),
    "one line, file's own step": (
        "if a:\n  for x in y: f(x)\n",
        "if a:\n  for x in y:\n    new()\n    f(x)\n",
    ),
    "one line, continued": ("for x in y: \\\n  f(x)\n", "for x in y:\n    new()\n    f(x)\n"),
    "one line, else": ("for x in y: f(x)\nelse: g()\n", "for x in y:\n    new()\n    f(x)\nelse: g()\n"),
    "one line, no blank, no line end": ("for x in y:f(x)", "for x in y:\n    new()\n    f(x)"),
}


@pytest.mark.parametrize(("before", "after"), FIRST.values(), ids=FIRST.keys())
def test_first_in_a_loop(before: str, after: str) -> None:
    assert inserted_first(before, "For", "for") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('def f():\n    """Doc."""\n    a()\n', 'def f():\n    """Doc."""\n    new()\n    a()\n'),
        ('def f():\n    """Doc\n  more."""', 'def f():\n    """Doc\n  more."""\n    new()'),
        ('def f(): "Doc."\n', 'def f():\n    "Doc."\n    new()\n'),
        ("def f():\n    a()\n", "def f():\n    new()\n    a()\n"),
        ("def f(): return\n", "def f():\n    new()\n    return\n"),
        ('def f():\n    f"x"\n', 'def f():\n    new()\n    f"x"\n'),
    ],
)
def test_first_in_a_function_comes_after_its_docstring(before: str, after: str) -> None:
    assert inserted_first(before, "FunctionDef", "def") == after


@pytest.mark.parametrize("text", ['def f():\n    "Doc."; a()\n', 'def f(): "Doc."; a()\n'])
def test_a_docstring_that_shares_its_line_is_left_alone(text: str) -> None:
    assert inserted_first(text, "FunctionDef", "def") is None


def test_several_lines_take_the_files_own_steps() -> None:
    before = "while a:\n\tif b:\n\t\tc()\n"
    after = "while a:\n\tif sampler is not None:\n\t\tsampler.set_epoch(e)\n\tif b:\n\t\tc()\n"
    assert inserted_first(before, "While", "while", "if sampler is not None:\n    sampler.set_epoch(e)") == after


def test_an_elif_is_a_block_too() -> None:
    before = "def f():\n    if a: pass\n    elif b:\n        c()\n"
    assert inserted_first(before, "If", "elif") == "def f():\n    if a: pass\n    elif b:\n        new()\n        c()\n"


def test_a_block_around_the_site_is_opened_for_the_change() -> None:
    source = source_of("for e in es:\n    for b in loader:\n        f(b)\n")
    site = open_site(source, spot_of(source, "For", "for b"))
    change = InsertFirst(*SAFE, spot_of(source, "For", "for e"), "s.set_epoch(e)")
    assert changed(site, change) == "for e in es:\n    s.set_epoch(e)\n    for b in loader:\n        f(b)\n"


def test_a_place_without_a_block_is_refused() -> None:
    source = source_of("f(x)\ng(x)\n")
    site = open_site(source, Spot(1, 0, 1, 4))
    assert site.edits(InsertFirst(*SAFE, Spot(1, 0, 1, 4), "a")) is None
    assert site.edits(InsertFirst(*SAFE, Spot(2, 0, 2, 4), "a")) is None
    assert site.edits(InsertFirst(*SAFE, Spot(5, 0, 5, 4), "a")) is None


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("a()\nf(x)\n", "a()\nnew()\nf(x)\n", "a()\nf(x)\nnew()\n"),
        ("f(x)", "new()\nf(x)", "f(x)\nnew()"),
        (
            "if a:\r\n\t# c\r\n\tf(x)  # d\r\n",
            "if a:\r\n\tnew()\r\n\t# c\r\n\tf(x)  # d\r\n",
            "if a:\r\n\t# c\r\n\tf(x)  # d\r\n\tnew()\r\n",
        ),
        ("f(x); g()\n", "new()\nf(x); g()\n", None),
        ("g(); f(x)\n", None, None),
        ("if a: f(x)\n", None, None),
        ("f(x,\n  y)\ng()\n", "new()\nf(x,\n  y)\ng()\n", "f(x,\n  y)\nnew()\ng()\n"),
    ],
)
def test_beside_a_simple_statement(text: str, before: str | None, after: str | None) -> None:
    source = source_of(text)
    spot = spot_of(source, "Expr", "f(")
    site = open_site(source, spot)
    assert changed(site, InsertBefore(*SAFE, spot, "new()")) == before
    assert changed(site, InsertAfter(*SAFE, spot, "new()")) == after


def test_after_a_block_comes_after_the_comments_that_close_it() -> None:
    source = source_of("for x in y:\n    f(x)\n    # done\n\n# next\ng()\n")
    spot = spot_of(source, "For", "for")
    after = "for x in y:\n    f(x)\n    # done\nnew()\n\n# next\ng()\n"
    assert changed(open_site(source, spot), InsertAfter(*SAFE, spot, "new()")) == after


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("y", "y"),
        ("a, y", "y"),
        ("(y, _)", "y"),
        ("self.y", "self.y"),
        ("x = y", "y"),
        ("other", None),
        ("y[0]", None),
        ("*y, a", "y"),
    ],
)
def test_what_is_inserted_names_what_the_assignment_binds(target: str, wanted: str | None) -> None:
    source = source_of(f"{target} = f(x)\ng()\n")
    bound, spot = spot_of(source, "Assign", target), spot_of(source, "Expr", "g(")
    named = (bound, ("alias", "y", "self.y"))
    site = open_site(source, spot)
    before = changed(site, InsertBefore(*SAFE, spot, "wait({0})", named))
    after = changed(site, InsertAfter(*SAFE, spot, "wait({0})", named))
    assert before == (None if wanted is None else f"{target} = f(x)\nwait({wanted})\ng()\n")
    assert after == (None if wanted is None else f"{target} = f(x)\ng()\nwait({wanted})\n")


def test_before_a_decorated_definition_comes_above_its_decorators() -> None:
    source = source_of("a()\n# c\n@d(\n  1\n)\n# e\n@f\nasync def g():\n    pass\n")
    spot = spot_of(source, "AsyncFunctionDef", "async")
    assert changed(open_site(source, spot), InsertBefore(*SAFE, spot, "new()")) == source.code.replace("# c", "new()\n# c")


@pytest.mark.parametrize(
    ("text", "kind", "start"),
    [
        ("if a:\n    b\nelif c:\n    d\n", "If", "elif"),
        ("try:\n    a\nexcept A:\n    b\n", "ExceptHandler", "except"),
    ],
)
def test_nothing_comes_between_the_parts_of_a_statement(text: str, kind: str, start: str) -> None:
    source = source_of(text)
    spot = spot_of(source, kind, start)
    assert open_site(source, spot).edits(InsertBefore(*SAFE, spot, "new()")) is None
