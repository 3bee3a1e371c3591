from __future__ import annotations

import pytest

from tests.sites.site_texts import SAFE, changed, source_of, spot_of
from trainlint.edits.changes import Move
from trainlint.edits.site import open_site


def moved(text: str, target: tuple[str, str] = ("Expr", "goal"), *, behind: bool = True, inside: bool = False) -> str | None:
    """The text in which the statement that begins with ``go`` has moved past the target."""
    source = source_of(text)
    statement = spot_of(source, "Assign", "go =") if "go = " in text else spot_of(source, "Expr", "go(")
    change = Move(*SAFE, statement, spot_of(source, *target), behind, inside)
    return changed(open_site(source, statement), change)


def test_goes_behind_with_its_comments() -> None:
    assert moved("# why\ngo()  # now\nx()\ngoal()\ny()\n") == "x()\ngoal()\n# why\ngo()  # now\ny()\n"


def test_a_comment_that_heads_the_lines_below_stays_with_them() -> None:
    # songdejia/EAST, main.py
    text = "# backward\ngo()\nx()\nloss.backward()\ngoal()\n"
    assert moved(text) == "# backward\nx()\nloss.backward()\ngoal()\ngo()\n"
    named = text.replace("# backward", "# step, then backward").replace("go()", "go(step)")
    assert moved(named) == "x()\nloss.backward()\ngoal()\n# step, then backward\ngo(step)\n"
    apart = text.replace("x()", "\nx()")
    assert moved(apart) == "\nx()\nloss.backward()\ngoal()\n# backward\ngo()\n"


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


def test_goes_behind_all_of_the_loop_that_holds_the_target() -> None:
    loop = "    for b in e:\n        goal()\n\n        x(\n            1,\n        )\n        # done\n"
    assert moved(f"for e in n:\n    go()\n{loop}    y()\n") == f"for e in n:\n{loop}    go()\n    y()\n"
    left = loop.replace("        x(", "        if b:\n            return\n        x(")
    assert moved(f"for e in n:\n    go()\n{left}    y()\n") is None
    quoted = "    for b in e:\n        goal()\n        x('''\nunder\n''')\n"
    assert moved(f"for e in n:\n    go()\n{quoted}    y()\n") is None  # where the loop ends is not seen


def test_goes_out_of_a_with() -> None:
    text = "with a:\r\n    x()\r\n    go()\r\ny()\r\n"
    assert moved(text, ("With", "with")) == "with a:\r\n    x()\r\ngo()\r\ny()\r\n"


def anew(text: str, *, behind: bool) -> str | None:
    """The text in which ``go = …`` has moved past ``model = …``, to see the other value of that name."""
    source = source_of(text)
    statement = spot_of(source, "Assign", "go =") if behind else spot_of(source, "Assign", "model = go")
    target = spot_of(source, "Assign", "model = f")
    return changed(open_site(source, statement), Move(*SAFE, statement, target, behind, anew=("model",)))


def test_sees_the_new_value_of_a_name() -> None:
    assert anew("go = x(model)\nmodel = f(model)\ny(model)\n", behind=True) == "model = f(model)\ngo = x(model)\ny(model)\n"
    assert anew("go = x(other)\nmodel = f(other)\n", behind=True) is None  # nothing in it would change
    assert anew("go = x(model, y)\ny = 1\nmodel = f(model)\n", behind=True) is None


def test_binds_a_name_before_what_reads_it() -> None:
    assert anew("model = f(model)\nmodel = go(model)\n", behind=False) == "model = go(model)\nmodel = f(model)\n"
    assert anew("model = f(other)\nmodel = go(model)\n", behind=False) is None  # there is no such name yet


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
