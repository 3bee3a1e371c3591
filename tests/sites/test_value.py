"""Calls that are worked out above their ``if``."""

from __future__ import annotations

import pytest

from tests.sites.site_texts import SAFE, changed, source_of, spot_of
from trainlint.edits.changes import HoistValue
from trainlint.edits.site import open_site


def hoisted(text: str, guard: str = "if r", statement: str = "save(", kind: str = "Expr") -> str | None:
    """The text with ``get()`` worked out above ``guard``; None when that is refused."""
    source = source_of(text)
    outer = spot_of(source, "If", guard)
    call, inner = spot_of(source, "Call", "get("), spot_of(source, kind, statement)
    change = HoistValue(*SAFE, call=call, statement=inner, guard=outer, names=("state", "whole"))
    return changed(open_site(source, outer), change)


MOVED = {
    "an argument": ("if r:\n    save(get(m), 1)  # w\n", "state = get(m)\nif r:\n    save(state, 1)  # w\n"),
    "behind other statements": (
        "def f():\n    # why\n    if r == 0:\n        make()\n        save({'m': get(m)})\n    end()\n",
        "def f():\n    state = get(m)\n    # why\n    if r == 0:\n        make()\n        save({'m': state})\n    end()\n",
    ),
    "the name is taken": ("state = 1\nif r:\n    save(get(m))\n", "state = 1\nwhole = get(m)\nif r:\n    save(whole)\n"),
}


@pytest.mark.parametrize("name", MOVED)
def test_moved(name: str) -> None:
    before, after = MOVED[name]
    assert hoisted(before) == after


def test_all_that_is_assigned_moves_as_it_is() -> None:
    assert (
        hoisted("if r:\n    s = get(m)\n    save(s)\n", statement="s = get", kind="Assign") == "s = get(m)\nif r:\n    save(s)\n"
    )


REFUSED = {
    "its argument is made there": "if r:\n    m = unwrap(x)\n    save(get(m))\n",
    "in a loop": "if r:\n    for m in all:\n        save(get(m))\n",
    "in a comprehension": "if r:\n    save([get(m) for m in all])\n",
    "in a lambda": "if r:\n    save(lambda m: get(m))\n",
    "on several lines": "if r:\n    save(get(\n        m))\n",
    "in the other branch": "if r:\n    pass\nelse:\n    save(get(m))\n",
    "no name is left": "state = whole = 1\nif r:\n    save(get(m))\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    assert hoisted(REFUSED[name]) is None


def test_refused_behind_elif() -> None:
    assert hoisted("if a:\n    pass\nelif r:\n    save(get(m))\n", guard="elif r") is None
