"""A program does in each shape what it did, in the same order, and is Python 3.10."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.metamorphic.carriers import CARRIERS
from tests.metamorphic.naming import all_names
from tests.metamorphic.program import Program, Unfit, parsed
from tests.metamorphic.running import World
from tests.metamorphic.shapes import RESERVED, SHAPES, Shape, shaped

HEAD = "from stand_in import first, model, second, third\n\n\n"
# What records its calls stands at the marks: both in a loop; one before it; names that are bound and read; a method; an inner
# loop; a function inside; one in the other; one that returns; marks in two methods; a counted loop; a way out; the top level.
STAND_INS = {
    head: text
    for part in (Path(__file__).parent / "stand_ins.txt").read_text(encoding="utf-8").split("=== ")[1:]
    for head, _, text in [part.partition("\n")]
}


class Recorder:
    """Functions that write down that they were called, with what, and return something that depends on it."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def function(self, name: str):
        def record(*args: object) -> object:
            self.events.append(f"{name}{args}")
            lists = [each for each in args if isinstance(each, list)]
            return lists[0] if lists and name == "third" else len(self.events)

        return record


class Model:
    """A base class, and a context manager."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def events(program: Program) -> list[str]:
    """What the program calls, in order, and what it returns; started as a program and by its function ``run``."""
    recorder = Recorder()
    members: dict[str, Any] = {name: recorder.function(name) for name in ("first", "second", "third")}
    made = {"items": [5, 6, 7], "state": "state", "item": 8, "scale": 2}
    stand_ins = {"stand_in": SimpleNamespace(model=Model, **members), "elsewhere": SimpleNamespace(build=made.__getitem__)}
    started = World(program.texts(), stand_ins.__getitem__).module("train")
    if hasattr(started, "main") and not recorder.events:
        started.main()
    else:
        recorder.events.append(f"returned {started.run(made['items'], made['state'])}")
    return recorder.events


@pytest.mark.parametrize("shape", SHAPES, ids=lambda each: each.name)
def test_does_the_same_in_the_same_order(shape: Shape):
    fits = set()
    for name, text in STAND_INS.items():
        program = Program({"train.py": parsed(HEAD + text)})
        try:
            new = shaped(program, shape)
        except Unfit:
            continue
        fits.add(name)
        for each in new.texts().values():
            ast.parse(each, feature_version=(3, 10))
        assert new.texts() != program.texts(), name
        brought = {each for tree in new.files.values() for each in all_names(tree)} - all_names(program.files["train.py"])
        assert {each for each in brought if not each.startswith(("Runner", "__"))} <= RESERVED | OTHERS | set(dir(builtins))
        plain, now = events(program), events(new)
        if shape.name == "main()":
            plain = [each for each in plain if not each.startswith("returned")]
            now = [each for each in now if not each.startswith("returned")]
        assert len(plain) > 1
        assert now == plain, name
    assert set(STAND_INS) - fits == UNFIT.get(shape.name, set())


OTHERS = {
    "contextmanager",
    "ExitStack",
    "partial",
    "wraps",
    "self",
    "item",
    "items",
    "function",
    "wrapper",
    "args",
    "kwargs",
    "_",
}
"""Names that shapes bring and programs may have: imports mean the same, the others are only in functions of the shape."""

APART = {"methods", "two functions"}
NO_LOOP = {"several", "returned", "only second"}
UNFIT: dict[str, set[str]] = {
    "helper for the first": {"only second"},
    "helpers for both": {"only second"},
    "one helper for both": {"only second", "top", *APART},
    "methods": {"top"},
    "methods elsewhere": {"top"},
    "template method": {"top"},
    "callback list": {"returned"},
    "functions inside": {"top"},
    "on entry": {"only second", "counted", "one in the other", "bound in the other", "branch", *APART},
    "guard": NO_LOOP,
    "early continue": NO_LOOP,
    "break at the head": NO_LOOP,
    "counted loop": {"counted", "enumerated", *NO_LOOP},
    "nested loop": NO_LOOP,
    "while with a counter": {"pairs", *NO_LOOP},
    "while True with break": NO_LOOP,
    "next with StopIteration": NO_LOOP,
    "generator of items": NO_LOOP,
    "generator of rounds": {"top", *NO_LOOP},
    "body in a helper": NO_LOOP,
    "loop in a helper": {"top", *NO_LOOP},
    "loop else": NO_LOOP,
    "decorator": {"top"},
    "main()": {"top"},
    "handed whole": {"inside", "top"},
}


def test_names_and_descriptions_are_different():
    assert len({each.name for each in SHAPES}) == len(SHAPES)
    assert len({each.says for each in SHAPES}) == len(SHAPES)
    assert {each.name for each in SHAPES}.isdisjoint({each.name for each in CARRIERS})
