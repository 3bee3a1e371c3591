"""Walks that know where a statement stands, and what of a block may run, against small programs."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.ir.revealing import lowered
from trainlint.ir.order import leading_to
from trainlint.ir.printer import show
from trainlint.ir.sketch import Block, CallStep, Choice, Exit, Function, If, Loop, Statement, Try, With
from trainlint.ir.walk import Arm, Entered, Region, blocks_of, is_ahead, placed, reachable, threaded, walk

SOURCE = """
def f(a, b):
    one()
    if a:
        two()
        for x in b:
            three()
            if x:
                four()
        else:
            five()
    else:
        six()
    try:
        seven()
    except ValueError:
        eight()
    finally:
        nine()
    with b:
        ten()
    eleven()
"""
WHERE = {
    "one": "",
    "two": "If 0",
    "three": "If 0, Loop 0",
    "four": "If 0, Loop 0, If 0",
    "five": "If 0, Loop 1",
    "six": "If 1",
    "seven": "Try 0",
    "eight": "Try 1",
    "nine": "Try 3",
    "ten": "With 0",
    "eleven": "",
}
#: What does not come first for what is written behind it: the other arm of a test, a loop that may have no round.
NOT_AHEAD = {("two", "six"), ("five", "six")} | {
    (one, other) for one in ("three", "four") for other in WHERE if other not in ("one", "two", "three", "four")
}


def function() -> Function:
    return lowered(SOURCE).functions["f"]


def name_of(node: Statement) -> str | None:
    return show(node.term.callee).rpartition(".")[2] if isinstance(node, CallStep) else None


def names(nodes: list[Statement]) -> list[str]:
    return [name for name in map(name_of, nodes) if name is not None]


def test_where_each_call_stands() -> None:
    found = {
        name_of(node): ", ".join(f"{type(arm.region).__name__} {arm.number}" for arm in around)
        for node, around in placed(function().body)
    }
    assert {name: where for name, where in found.items() if name is not None} == WHERE


def test_all_statements_are_placed_in_the_order_of_the_walk() -> None:
    body = function().body
    assert [id(node) for node, _ in placed(body)] == [id(node) for node in walk(body)]


def test_blocks_say_what_they_are() -> None:
    arms = [around[-1] for _, around in placed(function().body) if around]
    assert {name for arm in arms if arm.is_handler for name in names(list(arm.block))} == {"eight"}
    assert {name for arm in arms if arm.is_repeated for name in names(list(arm.block))} == {"three"}
    assert all(arm.is_same(Arm(arm.region, arm.number)) for arm in arms)


def test_what_comes_first() -> None:
    around = {name_of(node): where for node, where in placed(function().body)}
    assert {pair for pair in combinations(WHERE, 2) if not is_ahead(around[pair[0]], around[pair[1]])} == NOT_AHEAD


def test_what_is_known_goes_into_blocks_and_on_behind_statements() -> None:
    def inside(known: tuple[str, ...], _: Region, number: int) -> tuple[str, ...]:
        return (*known, f"[{number}")

    def behind(known: tuple[str, ...], node: Statement) -> tuple[str, ...]:
        return (*known, name_of(node) or "]")

    none: tuple[str, ...] = ()
    found = {name_of(node): known for node, known in threaded(function().body, none, inside, behind)}
    # The subject of the loop, and the test, are no calls here; a region is one statement for what stands behind it.
    assert found["four"] == ("one", "[0", "two", "[0", "three", "[0")
    assert found["eleven"] == ("one", "]", "]", "]")


@pytest.mark.parametrize(
    ("place", "way"),
    [
        ("one", []),
        ("four", ["one", "If", "two", "Loop", "three", "If"]),
        ("six", ["one", "If"]),
        ("nine", ["one", "Try"]),
        ("eleven", ["one"]),
    ],
)
def test_what_is_on_every_way_to_a_place(place: str, way: list[str]) -> None:
    whole = function()
    node = next(each for each in walk(whole.body) if name_of(each) == place)
    assert [name_of(each) or type(each).__name__ for each in leading_to(whole, node)] == way


LEAVING = """
def f(a, b):
    one()
    if a:
        two()
        return
    three()
    for x in b:
        if x:
            break
        four()
    five()
"""


def run(block: Block, *, test: Entered | bool | None) -> list[str]:
    """The calls that may run; ``test`` says what becomes of the branches (a bool: how they are answered)."""

    def enter(node: Region | Choice) -> Entered | None:
        if isinstance(node, (If, Choice)) and isinstance(test, bool):
            return Entered((node.body if test else node.orelse,), instead=True)
        return test if isinstance(node, (If, Choice)) and not isinstance(test, bool) else Entered(blocks_of(node))

    return names(list(reachable(block, enter)))


def test_what_may_run() -> None:
    body = lowered(LEAVING).functions["f"].body
    assert run(body, test=True) == ["one", "two"]
    assert run(body, test=False) == ["one", "three", "four", "five"]
    assert run(body, test=None) == ["one"]  # passed by, and an arm of it leaves
    assert run(body, test=Entered((), instead=True)) == ["one", "three", "four", "five"]
    assert run(body, test=Entered((), instead=True, ends=True)) == ["one"]


def test_a_way_out_in_a_block_that_may_run_ends_that_block_alone() -> None:
    body = lowered(LEAVING).functions["f"].body
    assert names(list(reachable(body, lambda node: Entered(blocks_of(node))))) == ["one", "two", "three", "four", "five"]


def test_a_long_chain_of_tests_needs_no_recursion() -> None:
    (node,) = lowered("def f(a):\n    if a:\n        one()\n").functions["f"].body
    assert isinstance(node, If)
    chain = node
    for _ in range(3000):
        chain = node._replace(orelse=(chain,))
    assert sum(1 for each, _ in placed((chain,)) if isinstance(each, CallStep)) == 3001


def test_regions_are_what_has_blocks() -> None:
    kinds = {type(node) for node in walk(function().body) if blocks_of(node)}
    assert kinds == {If, Loop, Try, With}
    assert not blocks_of(Exit("return", None, function().spot))
