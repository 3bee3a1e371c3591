"""Which expression made what a term stands for: the questions of :mod:`trainlint.program.origins`, and in what they differ."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.lower import lower
from trainlint.ir.nodes import BinOp, Call, Const, List, Param, Term
from trainlint.knowledge import load_knowledge
from trainlint.program.call_graph import last_name
from trainlint.program.imports import ModuleFinder
from trainlint.program.origins import (
    definitions,
    elsewhere,
    local_origin,
    origin,
    origins,
    put_in,
    reaching_definition,
    same_object,
    written_at,
)
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, Context

START = """
from lib import make, use

class Holder:
    def __init__(self, value):
        self.value = value

def same(value):
    return value

def copied(value):
    return list(value)

def one(flag):
    if flag:
        return make(1)
    return make(2)

def class_or_not(flag):
    return Holder if flag else make(3)

def counted():
    return make(4)

def held():
    return {"loss": make(5)}
"""


def asked(text: str) -> tuple[Program, Term, Context]:
    """What the function ``main`` of a program gives to ``use(…)``."""
    source = START + textwrap.dedent(text)
    known = load_knowledge({})
    module = lower("/p/main.py", ast.parse(source), known.exits)
    program = Program({"/p/main.py": module}, ModuleFinder({"/p/main.py"}, ["/p"]), known)
    ((function, call),) = (
        (function, call.term)
        for function in module.functions.values()
        for call in calls_of(function)
        if last_name(call.term.callee) == "use"
    )
    return program, call.args[0], program.frame("/p/main.py", function)


def said(term: Term) -> str:
    if isinstance(term, Call):
        return f"{last_name(term.callee)}({', '.join(map(said, term.args))})"
    if isinstance(term, Const):
        return repr(term.value)
    if isinstance(term, Param):
        return term.name
    return "[]" if isinstance(term, List) else type(term).__name__.lower()


ONE = {
    "use(same(make(0)))": "make(0)",
    "use(Holder(make(0)).value)": "make(0)",
    "use([make(0)][0])": "make(0)",
    "use(one(x))": "one(x)",
    "use(same(x))": "x",
}


@pytest.mark.parametrize("body", ONE)
def test_one_expression_or_the_term_itself(body: str) -> None:
    program, term, frame = asked(f"def main(x):\n    {body}\n")
    for question in (reaching_definition, origin):
        found = question(program, term, frame)
        assert said(found.term) == ONE[body]
        assert said(local_origin(program, term, frame)) == ONE[body]


def test_several() -> None:
    program, term, frame = asked("def main(x):\n    use(one(x))\n")
    assert [said(found.term) for found in definitions(program, term, frame) if found is not None] == ["make(1)", "make(2)"]
    assert [said(found.term) for found in origins(program, term, frame)] == ["make(1)", "make(2)"]
    assert [said(found.term) for found in elsewhere(program, term, frame)] == ["make(1)", "make(2)"]


def test_what_no_expression_makes() -> None:
    program, term, frame = asked("def main(x):\n    use(class_or_not(x))\n")
    assert None in definitions(program, term, frame)
    assert Argument(term, frame) in origins(program, term, frame)
    assert elsewhere(program, term, frame) == []


def test_a_copy() -> None:
    program, term, frame = asked("def main(x):\n    use(list(x))\n")
    assert said(reaching_definition(program, term, frame).term) == "x"
    assert said(origin(program, term, frame).term) == "list(x)"
    program, term, frame = asked("def main(x):\n    use(copied(x))\n")
    assert said(reaching_definition(program, term, frame).term) == "x"
    assert said(same_object(program, term, frame)) == "copied(x)"


def test_one_object() -> None:
    program, term, frame = asked("def main():\n    losses = []\n    use(Holder(losses).value)\n")
    assert said(same_object(program, term, frame)) == "[]"


def test_a_local_origin_is_of_the_same_activation() -> None:
    program, term, frame = asked("def main():\n    use(counted())\n")
    assert said(origin(program, term, frame).term) == "make(4)"
    assert said(local_origin(program, term, frame)) == "counted()"


def test_a_function_inside_hands_out_what_is_around_it() -> None:
    program, term, frame = asked("def main(x):\n    def inner():\n        return x * 2\n    use(inner())\n")
    found = origin(program, term, frame)
    assert isinstance(found.term, BinOp)
    assert found.frame is frame
    assert local_origin(program, term, frame) is found.term


def test_what_was_put_in() -> None:
    program, term, frame = asked("def main():\n    use(held()['loss'])\n")
    assert [said(found.term) for found in put_in(program, term, frame)] == ["make(5)"]


def test_what_an_item_becomes_is_not_what_it_was() -> None:
    program, term, frame = asked("""
        def main(keys):
            d = {}
            for key in keys:
                use(d['loss'])
                d['loss'] = d['loss'].item()
    """)
    assert put_in(program, term, frame) == []
    assert [said(found.term) for found in elsewhere(program, term, frame)] == ["item()"]


def test_where_it_is_written() -> None:
    program, term, frame = asked("def main():\n    use(counted())\n")
    found = written_at(program, term, frame)
    assert found is not None
    assert found[1].line == START.splitlines().index("    return make(4)") + 1
    program, term, frame = asked("def main():\n    use(same(make(0)))\n")
    assert written_at(program, term, frame) is None
