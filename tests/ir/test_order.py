"""The order of statements, against the order in which small programs run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any

import pytest

from tests.ir.revealing import flush, lowered
from trainlint.finding import Spot
from trainlint.ir.bindings import carried_names
from trainlint.ir.nodes import Call, Const, Element, List
from trainlint.ir.order import (
    after,
    before,
    belongs_to,
    between,
    in_block,
    is_step,
    loops_around,
    made_in,
    made_within,
    repeated_by,
    same_round,
    within,
)
from trainlint.ir.sketch import CallStep, Function, If, Keep, Loop, Try, With
from trainlint.ir.walk import of_kind

#: Each ``run("name", value)`` is a step; it says that it runs, and returns the value.
LOOPS = """
    def f(run, block):
        left = [3]
        run("first")
        for x in run("subject", [1, 2, 3]):
            run("outer", run("inner"))
            if run("asked", True):
                run("arm")
            for y in run("nested subject", [1, 2]):
                run("nested")
        else:
            run("else")
        while run("test", left[0] > 0):
            left[0] = left[0] - 1
            run("round")
        else:
            run("after test")
        values = [run("item", z) for z in run("drawn", [1, 2, 3]) if run("filter", True)]
        run("last")
"""
TESTS = """
    def f(run, block, a, b):
        if run("test", a):
            run("then")
        elif run("other test", b):
            run("second")
        else:
            run("third")
        run("chosen") if a else run("not chosen")
        a and run("both")
        assert run("asserted", True)
        match run("matched", a):
            case True:
                run("case")
        run("after")
"""
BLOCKS = """
    def f(run, block):
        run("before")
        with block(run("manager")) as one, block(run("second manager")):
            run("within")
            with block("inner"):
                run("deep")
        run("after")
"""
ATTEMPTS = """
    def f(run, block):
        run("before")
        try:
            run("tried")
        except run("kind", ValueError):
            run("caught")
        else:
            run("well")
        finally:
            run("always")
        run("after")
"""


def function(source: str) -> Function:
    return lowered(source).functions["f"]


def steps(of: Function) -> dict[str, CallStep]:
    """The calls of ``run`` by the word that each is given."""
    return {
        node.term.args[0].value: node
        for node in of_kind(of, CallStep)
        if node.term.args and isinstance(node.term.args[0], Const) and isinstance(node.term.args[0].value, str)
    }


def traced(source: str, *given: Any, raises: str = "") -> list[tuple[str, int]]:
    """The words of the steps as the program runs them, each with how many blocks are open."""
    found: list[tuple[str, int]] = []
    opened = [0]

    def run(word: str, value: Any = None) -> Any:
        found.append((word, opened[0]))
        if word == raises:
            raise ValueError
        return value

    @contextmanager
    def block(_: Any) -> Iterator[None]:
        opened[0] += 1
        yield
        opened[0] -= 1

    names: dict[str, Any] = {}
    exec(flush(source), names)  # noqa: S102 - our own program
    names["f"](run, block, *given)
    return found


def test_what_is_in_a_loop_runs_again_and_again() -> None:
    of, times = function(LOOPS), Counter(word for word, _ in traced(LOOPS))
    for word, step in steps(of).items():
        assert bool(loops_around(of, step)) == (times[word] > 1), word
    assert times["nested"] == 6
    assert len(loops_around(of, steps(of)["nested"])) == 2


def test_steps_of_the_same_rounds_run_equally_often() -> None:
    of, times = function(LOOPS), Counter(word for word, _ in traced(LOOPS))
    known = {word: step for word, step in steps(of).items() if word != "test"}  # that is asked once more, to end the loop
    rounds = {word: loops_around(of, step) for word, step in known.items()}
    for one, other in combinations(known, 2):
        if same_round(of, known[one], known[other]):
            assert times[one] == times[other], (one, other)
            assert rounds[one] == rounds[other]
        else:
            assert rounds[one] != rounds[other]
    assert same_round(of, known["outer"], known["nested subject"])
    assert not same_round(of, known["outer"], known["nested"])


@pytest.mark.parametrize(
    ("source", "given"), [(LOOPS, ()), (BLOCKS, ()), (ATTEMPTS, ()), *((TESTS, (a, b)) for a in (0, 1) for b in (0, 1))]
)
def test_what_comes_first_runs_first(source: str, given: tuple[int, ...]) -> None:
    of = function(source)
    ran = list(dict.fromkeys(word for word, _ in traced(source, *map(bool, given))))
    known = steps(of)
    for one, other in combinations(ran, 2):
        assert before(of, known[one], known[other]), (one, other)
        assert before(of, known[one].term, known[other].term.site)
        assert not before(of, known[other], known[one])
    for one, middle, other in combinations(ran, 3):
        assert between(of, known[one], known[middle], known[other])
        assert not between(of, known[middle], known[one], known[other])


def test_what_is_in_an_arm_runs_with_one_answer_only() -> None:
    of = function(TESTS)
    ways = [{word for word, _ in traced(TESTS, a, b)} for a in (True, False) for b in (True, False)]
    for word, step in steps(of).items():
        depends = not all(word in way for way in ways)
        assert any(within(of, node, step) for node in of_kind(of, If)) == depends, word


def test_the_arms_of_a_test_are_apart() -> None:
    of = function(TESTS)
    known = steps(of)
    for node in of_kind(of, If):
        for step in known.values():
            assert not (in_block(of, node.body, step) and in_block(of, node.orelse, step))
    chain = of_kind(of, If)[0]
    assert [word for word, step in known.items() if in_block(of, chain.orelse, step)] == ["other test", "second", "third"]


def test_what_is_in_a_block_runs_while_it_is_open() -> None:
    of = function(BLOCKS)
    for word, opened in traced(BLOCKS):
        if word == "second manager":
            continue  # it is made while the first one is open, before the body
        assert sum(within(of, node, steps(of)[word]) for node in of_kind(of, With)) == {0: 0, 2: 1, 3: 2}[opened], word


def test_what_is_in_the_body_of_an_attempt_is_caught() -> None:
    of = function(ATTEMPTS)
    (attempt,) = of_kind(of, Try)
    for word, step in steps(of).items():
        if word in ("kind", "caught"):
            continue  # these run only when another one has failed
        try:
            caught = "caught" in dict(traced(ATTEMPTS, raises=word))
        except ValueError:
            caught = False
        assert in_block(of, attempt.body, step) == caught, word


def test_a_call_of_another_function_has_no_place_here() -> None:
    module = lowered("""
        def f(run, x):
            for y in x:
                g = lambda: run("in the lambda")
                def h(z=run("default")):
                    run("nested")
            return g
    """)
    (loop,) = of_kind(module.functions["f"], Loop)
    inner = {name: steps(each) for name, each in module.functions.items()}
    own = module.functions["f"]
    for name, known in inner.items():
        for word, step in known.items():
            assert is_step(own, step.term) == within(own, loop, step.term) == (name == "f"), word
            assert made_in(module.functions[name], step.term)
    assert list(inner["f"]) == ["default"]
    assert not before(own, inner["f.h"]["nested"].term, inner["f"]["default"])
    assert not before(own, inner["f"]["default"], inner["f.h"]["nested"].term)


def test_the_spot_of_a_statement_stands_for_what_it_runs_first() -> None:
    of = function("""
        def f(run, x):
            if x == 1:
                y = run("outer", run("inner"))
            return y
    """)
    known = steps(of)
    (test,) = of_kind(of, If)
    statement = known["outer"].statement
    assert statement not in (known["outer"].term.site, known["inner"].term.site)
    assert within(of, test, statement)
    assert before(of, statement, known["outer"])
    assert not before(of, known["inner"], statement)
    assert not within(of, test, test.test)
    assert not is_step(of, Spot(1, 0, 1, 1))


def test_what_no_step_makes_is_where_it_is_written() -> None:
    of = function("""
        def f(xs):
            before = []
            for x in xs:
                inside = []
                inside[0] = x
                before[0] = x
    """)
    (loop,) = of_kind(of, Loop)
    made = [node.target.base for node in of_kind(of, Keep) if hasattr(node.target, "base")]
    lists = [each for each in made if isinstance(each, List)]
    assert [made_within(of, loop, each) for each in lists] == [True, False]
    assert all(made_in(of, each) for each in lists)
    assert loop.target is not None
    assert made_within(of, loop, loop.target)  # type: ignore[arg-type]


def test_a_call_that_is_made_in_a_loop() -> None:
    of = function(LOOPS)
    (whole, *_), known = of_kind(of, Loop), steps(of)
    assert isinstance(known["outer"].term, Call)
    assert made_within(of, whole, known["outer"].term)
    assert made_within(of, whole.spot, known["outer"].term.site)
    assert not made_within(of, whole, known["subject"].term)


def test_what_comes_after_a_loop_or_a_block_runs_when_it_is_through() -> None:
    of, known = function(LOOPS), steps(function(LOOPS))
    outer, *_ = of_kind(of, Loop)
    assert next(word for word, step in known.items() if after(of, outer, step.term.site)) == "test"
    assert not after(of, outer, known["else"].term.site)
    of = function(BLOCKS)
    for node in of_kind(of, With):
        for word, step in steps(of).items():
            assert after(of, node, step) == (word == "after" and not within(of, node, step)), word
    assert after(of, steps(of)["before"], steps(of)["within"])


def test_a_loop_comes_to_its_own_test_in_each_round() -> None:
    of = function(LOOPS)
    for loop in of_kind(of, Loop):
        assert repeated_by(of, loop.spot) == (*loops_around(of, loop), loop)
    for step in steps(of).values():
        assert repeated_by(of, step) == loops_around(of, step)


def test_what_a_loop_hands_out_and_on_belongs_to_it() -> None:
    of = function("""
        def f(xs):
            total = 0
            for x in xs:
                for y in x:
                    total = total + y
            return total
    """)
    outer, inner = of_kind(of, Loop)
    for loop, other in ((outer, inner), (inner, outer)):
        assert isinstance(loop.target, Element)
        assert belongs_to(loop, loop.target)
        assert not belongs_to(other, loop.target)
    carried = [each.name for each in carried_names(of)]
    assert {(belongs_to(outer, each), belongs_to(inner, each)) for each in carried} == {(True, False), (False, True)}
