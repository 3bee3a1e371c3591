"""The abstract interpreter, against the runs of small programs: what was called last, in every way that tests may be answered."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.ir.revealing import flush, lowered
from trainlint.ir.abstract_interpretation import Interpreter
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Statement

Names = frozenset[str]
START = frozenset({"start"})
NAMES = ("one", "two", "three", "four", "five", "six")


class Last(Interpreter[Names]):
    """What may have been called last."""

    def step(self, node: Statement, state: Names) -> Names:
        name = show(node.term.callee).rpartition(".")[2] if isinstance(node, CallStep) else ""
        return frozenset({name}) if name in NAMES else state

    def join(self, one: Names, other: Names) -> Names:
        return one | other

    def run(self, source: str) -> Names:
        body = lowered(source).functions["f"].body
        return self.behind(lambda: self.block(body, START), "return") or frozenset()


class Failed(Exception):
    """What a program of these raises."""


def executed(source: str) -> Names:
    """What was called last in each run of the source that comes to its end: every answer to the first eight questions."""
    found = set()
    code = compile(flush(source), "program", "exec")
    for answers in product((False, True), repeat=8):
        left, last = list(answers), ["start"]
        space: dict[str, Any] = {name: (lambda name=name, last=last: last.append(name)) for name in NAMES}

        def fails(left: list[bool] = left) -> None:
            if left and left.pop(0):
                raise Failed

        space |= {"ask": lambda left=left: bool(left) and left.pop(0), "fails": fails, "Failed": Failed}
        exec(code, space)  # noqa: S102 - our own source
        try:
            space["f"]()
        except Failed:
            continue
        found.add(last[-1])
    return frozenset(found)


EXACT = {
    "arms": """
        def f():
            one()
            if ask():
                two()
            elif ask():
                return
            else:
                three()
                raise Failed
            four() if ask() else None
    """,
    "ways out of a loop": """
        def f():
            for x in [1]:
                if ask():
                    one()
                    break
                if ask():
                    two()
                    continue
                if ask():
                    three()
                    return
            else:
                four()
    """,
    "a loop in a loop": """
        def f():
            for x in [1]:
                for y in [1]:
                    if ask():
                        one()
                        break
                    two()
                else:
                    three()
                    break
                four()
            else:
                five()
    """,
    "contexts": """
        def f():
            import contextlib
            with contextlib.nullcontext():
                if ask():
                    one()
                    return
            two() if ask() else None
    """,
    "attempts": """
        def f():
            try:
                fails()
                one()
            except Failed:
                if ask():
                    raise
                two()
            else:
                three()
    """,
}
#: A handler is run on what held before its ``try`` or behind the body: what an error in the middle leaves is not there.
IN_THE_MIDDLE = """
    def f():
        one()
        try:
            two()
            fails()
            three()
        except Failed:
            pass
        finally:
            four() if ask() else None
"""


@pytest.mark.parametrize("name", EXACT)
def test_what_may_be_last(name: str) -> None:
    assert Last().run(EXACT[name]) == executed(EXACT[name])


def test_what_an_error_in_the_middle_leaves_is_not_seen() -> None:
    run, real = Last().run(IN_THE_MIDDLE), executed(IN_THE_MIDDLE)
    assert (run - real, real - run) == (frozenset({"one"}), frozenset({"two"}))
