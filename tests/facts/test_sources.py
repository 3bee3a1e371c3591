"""What a value comes from, step by step: the questions of :mod:`trainlint.program.sources`."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.lower import lower
from trainlint.ir.nodes import BinOp, Call, Const, Param, Term
from trainlint.knowledge import load_knowledge
from trainlint.program.call_graph import last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import arguments_of, innermost, iterated, reached
from trainlint.program.values import Argument, Context, LibraryObject, Unresolved, Value


def asked(text: str) -> tuple[Program, Term, Context]:
    """What a program gives to ``use(…)``, in the first activation of the function around it."""
    known = load_knowledge({})
    module = lower("/p/main.py", ast.parse("from lib import make, use, wrap\n" + textwrap.dedent(text)), known.exits)
    program = Program({"/p/main.py": module}, ModuleFinder({"/p/main.py"}, ["/p"]), known)
    for function in module.functions.values():
        for call in calls_of(function):
            if last_name(call.term.callee) == "use":
                return program, call.term.args[0], calling_contexts(program, "/p/main.py", function)[0]
    raise AssertionError(text)


def summands(term: Term, frame: Context) -> list[Argument] | None:
    """What a sum is made of; what others hand over is followed."""
    if isinstance(term, BinOp):
        return [Argument(part, frame) for part in term.sides]
    return None


NUMBERS = {
    "use(1 + 2)": {1, 2},
    "def f(x):\n    use(x + 1)\nf(2)": {1, 2},
    "def f(x):\n    use(x)\ndef g(y):\n    f(y + 1)\ng(2)": {1, 2},
    "def f(x, flag):\n    use(x if flag else 3)\nf(1, make())": {1, 3},
    "def f(x, flag):\n    use(x if flag else 3)\nf(1, True)": {1},
    "def f(x):\n    use(x or 3)\nf(make())": {3},
    "def h(n):\n    return n + 1\nuse(h(2))": {1, 2},
    "def h(n):\n    return h(n) + 1\nuse(h(2))": {1},  # what leads to itself ends there
    "class C:\n    def __init__(self):\n        self.x = 1 + 2\n    def m(self):\n        use(self.x)": {1, 2},
    "d = {'a': 1 + 2}\nuse(d['a'])": {1, 2},
}


@pytest.mark.parametrize("text", NUMBERS)
def test_all_that_a_term_comes_from_is_reached(text: str) -> None:
    program, term, frame = asked(text)
    found = [each.term for each in reached(program, term, frame, summands)]
    assert {each.value for each in found if isinstance(each, Const)} == NUMBERS[text]


def test_each_expression_is_reached_once_in_an_activation() -> None:
    program, term, frame = asked("x = make()\nuse((x + x) + (x + 1))")
    found = list(reached(program, term, frame, summands))
    assert len(found) == len(set(found))
    assert sum(isinstance(each.term, Call) for each in found) == 1


def test_what_the_domain_says_ends_the_way() -> None:
    program, term, frame = asked("def f(x):\n    use(x)\nf(1)")
    assert [type(each.term) for each in reached(program, term, frame, lambda _, __: ())] == [Param]


def test_a_long_way_is_followed_to_its_end() -> None:
    steps = "\n".join(f"def f{n}(x):\n    return f{n + 1}(x)" for n in range(5))
    program, term, frame = asked(f"{steps}\ndef f5(x):\n    return x\nuse({'+'.join(['f0(1)'] + ['2'] * 40)})")
    assert {each.term.value for each in reached(program, term, frame, summands) if isinstance(each.term, Const)} == {1, 2}


def wrapped(value: Value) -> list[Argument] | None:
    """What ``lib.wrap`` is around."""
    return arguments_of(value)[:1] if isinstance(value, LibraryObject) and value.name == "lib.wrap" else None


INNERMOST = {
    "use(wrap(make()))": ["lib.make"],
    "x = make()\nuse(wrap(wrap(wrap(wrap(wrap(wrap(wrap(x))))))))": ["lib.make"],
    "def f(x):\n    return wrap(x)\nuse(f(wrap(make())))": ["lib.make"],
    "use(wrap(make() if make.flag else wrap()))": ["lib.make"],
    "use(make(wrap()))": ["lib.make"],
    "def f(x):\n    use(wrap(x))": ["?"],
}


@pytest.mark.parametrize("text", INNERMOST)
def test_a_value_around_others_stands_for_them(text: str) -> None:
    program, term, frame = asked(text)
    found = innermost(program, program.values(term, frame), wrapped)
    assert [value.name if isinstance(value, LibraryObject) else "?" for value in found] == INNERMOST[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "use(enumerate(make()))": ["lib.make"],
        "use(zip(make(), wrap()))": ["lib.make", "lib.wrap"],
        "use(reversed(sorted(make())))": ["lib.make"],
        "use(range(3))": ["builtins.range"],
    }.items(),
)
def test_what_an_iterator_goes_over(text: str, expected: list[str]) -> None:
    program, term, frame = asked(text)
    found = innermost(program, program.values(term, frame), lambda value: iterated(program, value))
    assert [value.name for value in found if isinstance(value, LibraryObject)] == expected


def test_what_nobody_made_was_given_nothing() -> None:
    _, term, frame = asked("def f(x):\n    use(x)")
    assert arguments_of(Unresolved(term, frame)) == []
