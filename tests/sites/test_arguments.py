from __future__ import annotations

import pytest

from tests.sites.site_texts import SAFE, changed, source_of, spot_of
from trainlint.edits.changes import InsertFirst, RemoveKeyword, SetKeyword, SwapKeyword, Together
from trainlint.edits.site import open_site

SET = [
    ("f()\n", "f(k=v)\n"),
    ("f(  )\n", "f(  k=v)\n"),
    ("f(a)\n", "f(a, k=v)\n"),
    ("f(a,)\n", "f(a, k=v,)\n"),
    ("f(*a)\n", "f(*a, k=v)\n"),
    ("f(a, k=1, b=2)\n", "f(a, k=v, b=2)\n"),
    ("f(a, k=(1 or 2))\n", "f(a, k=v)\n"),
    ("f(a, k = (  ( 1 ) ) , b=2)\n", "f(a, k = v , b=2)\n"),
    ("f(\n    a,\n    b,  # c\n)\n", "f(\n    a,\n    b,  # c\n    k=v,\n)\n"),
    ("f(\n    a,\n    b  # c\n)\n", "f(\n    a,\n    b,  # c\n    k=v\n)\n"),
    ("f(\n    a,\n    b\n)\n", "f(\n    a,\n    b,\n    k=v\n)\n"),
    ("f(a,\n  b)\n", "f(a,\n  b,\n  k=v)\n"),
    ("f(\n    a, b,\n)\n", "f(\n    a, b, k=v,\n)\n"),
    ("if a:\r\n\tf(\r\n\t\tb,\r\n\t)\r\n", "if a:\r\n\tf(\r\n\t\tb,\r\n\t\tk=v,\r\n\t)\r\n"),
    ("f(x for x in y)\n", "f((x for x in y), k=v)\n"),
    ("f((x for x in y))\n", "f((x for x in y), k=v)\n"),
    ("ü = 'ä', f(a)\n", "ü = 'ä', f(a, k=v)\n"),
    ("f(a, b = 2)\n", "f(a, b = 2, k = v)\n"),
    ("f(a, b = 2, c=3)\n", "f(a, b = 2, c=3, k=v)\n"),
    ("f(a, **b)\n", None),
    ("f(a, k=1, **b)\n", "f(a, k=v, **b)\n"),
]


@pytest.mark.parametrize(("before", "after"), SET)
def test_set_keyword(before: str, after: str | None) -> None:
    source = source_of(before)
    call = spot_of(source, "Call", "f(")
    assert changed(open_site(source, call), SetKeyword(*SAFE, call, "k", "v")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(k=0)\n", "f(k=v)\n"),
        ("f(k=None)\n", "f(k=v)\n"),
        ("f()\n", "f(k=v)\n"),
        ("f(k=workers)\n", None),
        ("f(k=a.b)\n", None),
    ],
)
def test_what_somebody_chose_elsewhere_is_not_replaced_by_a_literal(before: str, after: str | None) -> None:
    source = source_of(before)
    call = spot_of(source, "Call", "f(")
    assert changed(open_site(source, call), SetKeyword(*SAFE, call, "k", "v", over_literals=True)) == after


REMOVED = [
    ("f(k=1)\n", "f()\n"),
    ("f(k=1,)\n", "f()\n"),
    ("f(k=1, a=2)\n", "f(a=2)\n"),
    ("f(a, k=1)\n", "f(a)\n"),
    ("f(a, k=1,)\n", "f(a,)\n"),
    ("f(a, k=(1), b=2)\n", "f(a, b=2)\n"),
    ("f(\n    a,  # c\n    k=1,  # d\n    b=2,\n)\n", "f(\n    a,  # c\n    b=2,\n)\n"),
    ("f(\n    a,  # c\n    k=1\n)\n", "f(\n    a,  # c\n)\n"),
    ("f(a,  # c\n  k=1)\n", None),
    ("f(a, k=[  # c\n  1])\n", "f(a)\n"),
    ("f(a)\n", None),
]


@pytest.mark.parametrize(("before", "after"), REMOVED)
def test_remove_keyword(before: str, after: str | None) -> None:
    source = source_of(before)
    call = spot_of(source, "Call", "f(")
    assert changed(open_site(source, call), RemoveKeyword(*SAFE, call, "k")) == after


REMOVED_TOGETHER = [
    ("f(k=1, m=2)\n", "f()\n"),
    ("f(a, k=1, m=2)\n", "f(a)\n"),
    ("f(a, m=2, k=1,)\n", "f(a,)\n"),
    ("f(a, k=1, b=2, m=3)\n", "f(a, b=2)\n"),
    ("f(k=1, m=2, b=2)\n", "f(b=2)\n"),
    ("f(\n    a,\n    k=1,\n    m=2,\n)\n", "f(\n    a,\n)\n"),
    ("f(a, k=1,  # c\n  m=2)\n", None),
    ("f(a, k=1)\n", None),
]


@pytest.mark.parametrize(("before", "after"), REMOVED_TOGETHER)
def test_remove_keywords_together(before: str, after: str | None) -> None:
    source = source_of(before)
    call = spot_of(source, "Call", "f(")
    assert changed(open_site(source, call), RemoveKeyword(*SAFE, call, "k", ("m",))) == after


def test_a_call_elsewhere_in_the_file_is_opened_for_the_change() -> None:
    source = source_of("loader = (a\n  .b(c)\n  .d(e))\nfor x in loader:\n    pass\n")
    site = open_site(source, spot_of(source, "For", "for"))
    change = SetKeyword(*SAFE, spot_of(source, "Call", "a\n  .b(c)\n  .d"), "k", "v")
    assert changed(site, change) == source.code.replace("(e)", "(e, k=v)")


def test_what_is_no_call_has_no_keywords() -> None:
    source = source_of("f(a)\n")
    site = open_site(source, spot_of(source, "Call", "f("))
    assert site.edits(SetKeyword(*SAFE, spot_of(source, "Name", "a"), "k", "v")) is None


SWAPPED = [
    ("f(k=1)\n", "f(n=v)\n"),
    ("f(a, k=1, b=2)\n", "f(a, n=v, b=2)\n"),
    ("f(a, k = (1 or 2) , b=2)\n", "f(a, n=v , b=2)\n"),
    ("f(\n    a,\n    k=1,  # c\n)\n", "f(\n    a,\n    n=v,  # c\n)\n"),
    ("f(a)\n", None),
    ("f(**k)\n", None),
]


@pytest.mark.parametrize(("before", "after"), SWAPPED)
def test_swap_keyword(before: str, after: str | None) -> None:
    source = source_of(before)
    call = spot_of(source, "Call", "f(")
    assert changed(open_site(source, call), SwapKeyword(*SAFE, call, "k", "n=v")) == after


def test_together() -> None:
    source = source_of("x = f(k=1)\nfor a in x:\n    g(a)\n")
    call, loop = spot_of(source, "Call", "f("), spot_of(source, "For", "for a")
    swap = SwapKeyword(*SAFE, call, "k", "n=v")
    insert = InsertFirst(*SAFE, loop, "h()")
    site = open_site(source, call)
    assert changed(site, Together(*SAFE, (insert, swap))) == "x = f(n=v)\nfor a in x:\n    h()\n    g(a)\n"
    assert changed(site, Together(*SAFE, (swap, swap))) is None
    assert changed(site, Together(*SAFE, (swap, SwapKeyword(*SAFE, call, "missing", "n=v")))) is None
