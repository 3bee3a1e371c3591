from __future__ import annotations

import pytest

from tests.sites.site_texts import changed, source_of, spot_of
from trainlint.edits.changes import StayFor
from trainlint.edits.site import open_site
from trainlint.finding import Applicability

SHOWN = (Applicability.DISPLAY, "show it")


def stayed(text: str, *, falls: bool = True, waits: bool = True, kind: str = "Expr", awaited: str = "meet") -> str | None:
    """The text in which those who leave in the first ``if`` run the statement that begins with ``awaited``."""
    source = source_of(text)
    statement = spot_of(source, kind, awaited)
    return changed(open_site(source, statement), StayFor(*SHOWN, spot_of(source, "If", "if "), statement, falls, waits))


WRAPPED = {
    "what only the others do": (
        "def f(r):\n    if r != 0:\n        return\n    save()\n    meet()\n",
        "def f(r):\n    if r == 0:\n        save()\n    meet()\n",
    ),
    "with comments and blank lines": (
        "def f(r):\n    # one\n    if not r:  # rank\n        # go\n        return\n\n    save()  # a\n\n    # w\n    meet()\n",
        "def f(r):\n    # one\n    if r:  # rank\n        # go\n        save()  # a\n\n    # w\n    meet()\n",
    ),
    "return of None": (
        "def f(r):\n    if r > 0:\n        return None\n    save()\n    meet()\n    return None\n",
        "def f(r):\n    if r <= 0:\n        save()\n    meet()\n    return None\n",
    ),
    "next round": (
        "for x in y:\n    if r.other():\n        continue\n    save(x)\n    meet()\ndone()\n",
        "for x in y:\n    if not r.other():\n        save(x)\n    meet()\ndone()\n",
    ),
    "test of several parts": (
        "def f(r):\n    if r and s:\n        return\n    for x in y:\n        save(x)\n    meet()\n",
        "def f(r):\n    if not (r and s):\n        for x in y:\n            save(x)\n    meet()\n",
    ),
    "work before the exit": (
        "def f(r):\n    if r == 0:\n        save()\n        return\n    meet()\n",
        "def f(r):\n    if r == 0:\n        save()\n    meet()\n",
    ),
    "work on both sides": (
        "def f(r):\n    if r == 0:\n        save()\n        return\n    clean()\n    meet()\n",
        "def f(r):\n    if r == 0:\n        save()\n    else:\n        clean()\n    meet()\n",
    ),
    "tabs": (
        "def f(r):\n\tif r != 0:\n\t\treturn\n\tsave()\n\tmeet()\n",
        "def f(r):\n\tif r == 0:\n\t\tsave()\n\tmeet()\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), WRAPPED.values(), ids=WRAPPED)
def test_the_exit_becomes_an_if(before: str, after: str) -> None:
    assert stayed(before) == after


ADVANCED = {
    "a result that others use": (
        "def f(r, x):\n    if r != 0:\n        return x\n    print(1)\n    meet(x)\n    show(x)\n",
        "def f(r, x):\n    meet(x)\n    if r != 0:\n        return x\n    print(1)\n    show(x)\n",
    ),
    "above what is said of the guard": (
        "def f(r, x):\n    # leave\n    if r != 0:\n        return x\n    meet(x)  # sum\n    show(x)\n",
        "def f(r, x):\n    meet(x)  # sum\n    # leave\n    if r != 0:\n        return x\n    show(x)\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), ADVANCED.values(), ids=ADVANCED)
def test_the_statement_goes_first(before: str, after: str) -> None:
    assert stayed(before, waits=False) == after


REFUSED = {
    "a value is returned": "def f(r):\n    if r != 0:\n        return 1\n    save()\n    meet()\n",
    "more follows": "def f(r):\n    if r != 0:\n        return\n    save()\n    meet()\n    more()\n",
    "another way out between": "def f(r):\n    if r != 0:\n        return\n    if s:\n        return\n    save()\n    meet()\n",
    "a value from between": "def f(r):\n    if r != 0:\n        return\n    x = save()\n    meet(x)\n",
    "an else": "def f(r):\n    if r != 0:\n        return\n    else:\n        pass\n    save()\n    meet()\n",
    "a deeper statement": "def f(r):\n    if r != 0:\n        return\n    if s:\n        save()\n        meet()\n",
    "on one line": "def f(r):\n    if r != 0: return\n    save()\n    meet()\n",
    "a comment at the exit": "def f(r):\n    if r != 0:\n        return  # bye\n    save()\n    meet()\n",
    "a string over lines": 'def f(r):\n    if r != 0:\n        return\n    save("""a\n  b""")\n    meet()\n',
    "two statements on a line": "def f(r):\n    if r != 0:\n        return\n    save()\n    meet(); more()\n",
}


@pytest.mark.parametrize("before", REFUSED.values(), ids=REFUSED)
def test_it_is_refused(before: str) -> None:
    assert stayed(before) is None


def test_it_is_not_wrapped_where_the_end_of_the_block_leads_elsewhere() -> None:
    assert (
        stayed(
            "def f(r):\n    with a:\n        if r != 0:\n            return\n        save()\n        meet()\n    b()\n",
            falls=False,
        )
        is None
    )


def test_what_the_statement_sets_is_not_seen_earlier() -> None:
    assert (
        stayed(
            "def f(r, x):\n    if r != 0:\n        return x\n    x = meet(x)\n    g(x)\n", waits=False, kind="Assign", awaited="x"
        )
        is None
    )
