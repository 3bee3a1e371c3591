"""Small random programs on which the analysis is right stay right, to the word; their truth is what the interpreter says."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

import pytest

from tests.oracle import chosen
from tests.oracle.chosen import Chosen
from tests.oracle.generator import generate
from tests.oracle.idioms import IDIOMS, Make
from tests.oracle.interpreter import judge
from tests.oracle.maker import Maker, Scope
from tests.oracle.writing import Lines

pytestmark = pytest.mark.oracle

EVERY = list(chosen.read())
TOGETHER = 10
STARTS = range(0, len(EVERY), TOGETHER)
FINDING = re.compile(r"^(\S+:\d+):\d+-\d+:\d+ TL\d{3} ", re.MULTILINE)
REASON = re.compile(r"^    (\S+:\d+):\d+-\d+:\d+ ", re.MULTILINE)


@pytest.mark.parametrize("start", [pytest.param(each, marks=() if each % 20 == 0 else (pytest.mark.heavy,)) for each in STARTS])
def test_what_is_said_is_what_is_kept(start: int) -> None:
    for each in EVERY[start : start + TOGETHER]:
        program = generate(each.seed)
        assert chosen.digest(program) == each.digest, "the generator has changed: python -m tests.oracle.chosen"
        assert chosen.said_of(program) == each.said, each.seed


@pytest.mark.parametrize("each", EVERY, ids=lambda each: str(each.seed))
def test_what_is_kept_is_right(each: Chosen) -> None:
    assert bool(each.said) == (each.kind != "right")
    guards, lines = set(each.guards.split()), {*each.guards.split(), *each.collectives.split()}
    for said in re.split(r"^(?=\S)", each.said, flags=re.MULTILINE)[1:]:
        (place,) = FINDING.findall(said)
        again = [other for other in re.split(r"^(?=\S)", each.said, flags=re.MULTILINE) if other.startswith(f"{place}:")]
        assert place in lines or any(guards & set(REASON.findall(other)) for other in again), said


@pytest.mark.heavy
@pytest.mark.parametrize("start", STARTS)
def test_what_is_kept_is_true(start: int) -> None:
    for each in EVERY[start : start + TOGETHER]:
        program = generate(each.seed)
        assert chosen.known(program, judge(program)) == each


def test_every_idiom_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    written: Counter[str] = Counter()

    def counted(name: str, make: Make, maker: Maker, scope: Scope) -> Lines:
        written[name] += 1
        return make(maker, scope)

    for name, each in list(IDIOMS.items()):
        monkeypatch.setitem(IDIOMS, name, each._replace(make=partial(counted, name, each.make)))
    for program in EVERY:
        generate(program.seed)
    assert len(EVERY) >= 200
    assert {name for name in IDIOMS if written[name] < 3} == set()
