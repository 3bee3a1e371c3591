"""Each carrier delivers the very object that it is given, and is Python 3.10."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from tests.metamorphic.carriers import CARRIERS, Carrier, carry, sites, value_of
from tests.metamorphic.program import Program, Unfit, parsed
from tests.metamorphic.running import World

NOT_THERE = {("nonlocal", "top")}
# Closed: made of an import. Called: of one too, but by a call, made as often as in the plain program.
# Open: of what is only there. In a loop, so that what is carried is new in each round; of an object; of a function inside; a
# global that is bound anew; of the top level.
STAND_INS = {
    "closed": "import stand_in\n\n\ndef run(given):\n    stand_in.take(VALUE(stand_in.THING))\n",
    "constant": "import stand_in as box\n\nTHING = box.THING\n\n\ndef run(given):\n    box.take(VALUE(THING))\n",
    "called": "from stand_in import make, take\n\n\ndef run(given):\n    for each in given:\n        take(VALUE(make()))\n",
    "open": "import stand_in\n\n\ndef run(given):\n    stand_in.take(VALUE(given))\n",
    "loop": "import stand_in\n\n\ndef run(given):\n    for each in given:\n        stand_in.take(VALUE(each))\n",
    "object": (
        "import stand_in\n\n\nclass Runner:\n    def __init__(self, given):\n        self.given = given\n\n"
        "    def run(self):\n        return stand_in.take(VALUE(self.given))\n\n\ndef run(given):\n    Runner(given).run()\n"
    ),
    "inside": "import stand_in\n\n\ndef run(given):\n    def inner():\n        stand_in.take(VALUE(given))\n\n    inner()\n",
    "head": "import stand_in\n\n\ndef run(given):\n    for each in VALUE(given):\n        stand_in.take(each)\n",
    "test": (
        "import stand_in\n\n\ndef run(given):\n    for each in given:\n        if each is given[0]:\n            continue\n"
        "        elif VALUE(each) is given[1]:\n            stand_in.take(each)\n"
    ),
    "changed": (
        "import stand_in\n\nthing = stand_in.THING\n\n\ndef run(given):\n    global thing\n    thing = given\n"
        "    stand_in.take(VALUE(thing))\n"
    ),
    "top": "import stand_in\n\ngiven = stand_in.make()\nstand_in.take(VALUE(given))\n\n\ndef run(given):\n    pass\n",
}


def taken(program: Program) -> tuple[list[object], list[object]]:
    """What the program took, and what there was to take."""
    found: list[object] = []
    made: list[object] = []
    thing, given = object(), [object(), object(), object()]

    def make() -> object:
        made.append(object())
        return made[-1]

    stand_in = SimpleNamespace(THING=thing, take=found.append, make=make)
    World(program.texts(), lambda _: stand_in).module("train").run(given)
    return found, [thing, given, *given, *made]


def places(found: list[object], there: list[object]) -> list[int]:
    return [next(number for number, other in enumerate(there) if other is each) for each in found]


@pytest.mark.parametrize("carrier", CARRIERS, ids=lambda each: each.name)
def test_delivers_the_same_object(carrier: Carrier):
    for name, text in STAND_INS.items():
        program = Program({"train.py": parsed(text)})
        plain = places(*taken(program))
        assert plain
        if (carrier.name, name) in NOT_THERE:
            with pytest.raises(Unfit):
                carry(program, "VALUE", carrier)
            continue
        carried = carry(program, "VALUE", carrier)
        for each in carried.texts().values():
            ast.parse(each, feature_version=(3, 10))
        assert carried.texts() != program.texts()
        assert places(*taken(carried)) == plain, name


def test_a_name_of_the_carrier_that_is_there_already_is_refused():
    program = Program({"train.py": parsed("def run(kept):\n    print(VALUE(kept))\n")})
    with pytest.raises(ValueError, match="kept"):
        carry(program, "VALUE", next(each for each in CARRIERS if each.name == "tuple item"))


def test_names_and_descriptions_are_different():
    assert len({each.name for each in CARRIERS}) == len({each.says for each in CARRIERS}) == len(CARRIERS)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("closed", "constant"),
        ("constant", "constant"),
        ("called", "closed"),
        ("open", "open"),
        ("object", "open"),
        ("changed", "open"),
        ("top", "open"),
    ],
)
def test_what_is_closed(name: str, kind: str):
    program = Program({"train.py": parsed(STAND_INS[name])})
    value = value_of(*sites(program, "VALUE")[0])
    assert ("constant" if value.constant else "closed" if value.closed else "open") == kind


def test_what_only_exists_inside_the_expression_is_not_carried():
    program = Program({"train.py": parsed("def run(given):\n    return [VALUE(each) for each in given]\n")})
    with pytest.raises(Unfit, match="each is bound inside"):
        value_of(*sites(program, "VALUE")[0])
