"""Questions that are remembered: a circle ends with the answer inside of itself, and the order of questions changes nothing."""

from __future__ import annotations

import itertools

import pytest

from trainlint.program.memo import forget_questions, remembered

#: What each thing leads to: a circle of three, into which one comes from outside, and which leads out to what is certain.
LEADS = {"start": ("a",), "a": ("b",), "b": ("c", "alone"), "c": ("a", "goal"), "alone": (), "goal": ()}


class Ways:
    def __init__(self) -> None:
        self.asked: list[str] = []

    @remembered(False)
    def leads(self, name: str) -> bool:
        self.asked.append(name)
        return name == "goal" or self.some_lead(LEADS[name])

    @remembered(False)
    def some_lead(self, names: tuple[str, ...], *, but: str = "") -> bool:
        return any(self.leads(name) for name in names if name != but)


@pytest.mark.parametrize("order", [*itertools.permutations(LEADS, 2)])
def test_answers_do_not_depend_on_which_question_came_first(order: tuple[str, ...]) -> None:
    ways = Ways()
    told = {name: ways.leads(name) for name in (*order, *LEADS)}
    assert told == {name: name != "alone" for name in LEADS}


def test_what_is_known_is_not_asked_again() -> None:
    ways = Ways()
    assert ways.leads("start")
    ways.asked.clear()
    assert ways.leads("start")
    assert ways.asked == []
    forget_questions(ways)
    assert ways.leads("start")
    assert ways.asked[0] == "start"


def test_keywords_are_part_of_the_question() -> None:
    ways = Ways()
    assert ways.some_lead(("goal", "alone"))
    assert not ways.some_lead(("goal", "alone"), but="goal")
