from __future__ import annotations

import pytest

from tests.sites.site_texts import SAFE, changed, source_of, spot_of
from trainlint.sites.changes import Move
from trainlint.sites.site import open_site


def moved(text: str, target: tuple[str, str] = ("Expr", "goal"), *, behind: bool = True, inside: bool = False) -> str | None:
    """The text in which the statement that begins with ``go`` has moved past the target."""
    source = source_of(text)
    statement = spot_of(source, "Assign", "go =") if "go = " in text else spot_of(source, "Expr", "go(")
    change = Move(*SAFE, statement, spot_of(source, *target), behind, inside)
    return changed(open_site(source, statement), change)


def test_goes_behind_with_its_comments() -> None:
    assert moved("# why\ngo()  # now\nx()\ngoal()\ny()\n") == "x()\ngoal()\n# why\ngo()  # now\ny()\n"


def test_goes_above() -> None:
    text = "def f():\n    # the goal\n    goal()\n    x = 1\n    go(y)\n"
    assert moved(text, behind=False) == "def f():\n    go(y)\n    # the goal\n    goal()\n    x = 1\n"


def test_goes_past_the_loop_that_holds_the_target() -> None:
    text = "for e in n:\n    go()\n    for b in e:\n        goal()\n        # the last\n    end()\n"
    expected = "for e in n:\n    for b in e:\n        goal()\n        # the last\n    go()\n    end()\n"
    assert moved(text) == expected


def test_goes_into_the_branch_that_holds_the_target() -> None:
    text = "for b in n:\n\tgo()\n\tif b:\n\t\tgoal()\n\t\tx()\n"
    assert moved(text, inside=True) == "for b in n:\n\tif b:\n\t\tgoal()\n\t\tgo()\n\t\tx()\n"


def test_goes_back_into_the_loop_that_holds_the_target() -> None:
    source = source_of("for e in n:\n    for b in e:\n        goal()\n        x()\n    y()\n    go()  # now\n")
    statement, past = spot_of(source, "Expr", "go("), spot_of(source, "For", "for b")
    change = Move(*SAFE, statement, spot_of(source, "Expr", "goal"), behind=True, inside=True, past=past)
    expected = "for e in n:\n    for b in e:\n        goal()\n        go()  # now\n        x()\n    y()\n"
    assert changed(open_site(source, statement), change) == expected


def test_goes_out_of_a_with() -> None:
    text = "with a:\r\n    x()\r\n    go()\r\ny()\r\n"
    assert moved(text, ("With", "with")) == "with a:\r\n    x()\r\ngo()\r\ny()\r\n"


REFUSED = {
    "what it binds is read on the way": "go = f()\nx(go)\ngoal()\n",
    "what it reads is bound on the way": "go(x)\nx = 1\ngoal()\n",
    "the way may leave": "for a in b:\n    go()\n    if a:\n        continue\n    goal()\n",
    "another block": "if a:\n    go()\ngoal()\n",
    "the target is before it": "goal()\ngo()\n",
    "it shares its line": "x(); go()\ngoal()\n",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_is_refused(text: str) -> None:
    assert moved(text) is None


STAYS = {
    "it is all there is": "with a:\n    go()\n",
    "something follows": "with a:\n    go()\n    x()\n",
    "it is deeper": "with a:\n    x()\n    if b:\n        y()\n        go()\n",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_stays_in_a_with(text: str) -> None:
    assert moved(text, ("With", "with")) is None
