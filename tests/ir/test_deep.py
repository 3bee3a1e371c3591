"""Machine-written code: long chains are lowered or refused, and no RecursionError gets out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.ir.revealing import EXITS, statements
from trainlint.app.engine.lowering import lower_source
from trainlint.app.engine.workspace import Trouble
from trainlint.ir import lower as lowering
from trainlint.ir.sketch import CallStep, If, Module
from trainlint.source.deep import run_deep
from trainlint.source.text import Source

DEEP = {
    "elif": "if a == 0:\n    x = 0\n" + "".join(f"elif a == {n}:\n    x = {n}\n" for n in range(1, 3000)) + "f(x)\n",
    "sum": "x = f(" + " + ".join("a" for _ in range(5000)) + ")\n",
    "division": "x = f(" + " / ".join("a()" for _ in range(5000)) + ")\n",
    "and": "x = " + " and ".join("f()" for _ in range(3000)) + "\n",
    "calls": "f(a" + ".m()" * 3000 + ")\n",
    "attributes": "f(a" + ".m" * 3000 + ")\n",
    "not": "f(" + "not " * 900 + "a)\n",
    "minus": "f(" + "-" * 900 + "a)\n",
    "subscripts": "f(a" + "[0]" * 3000 + ")\n",
    "lambdas": "f(" + "lambda: " * 900 + "a())\n",
    "conditional": "f(" + "1 if a() else " * 900 + "2)\n",
    "match": "match a:\n" + "".join(f"    case {n}:\n        x = {n}\n" for n in range(3000)) + "f(x)\n",
    "statements": "x = x + 1\n" * 5000 + "f(x)\n",
    "else": "".join(" " * n + "if a:\n" + " " * (n + 1) + "pass\n" + " " * n + "else:\n" for n in range(95)) + " " * 95 + "f()\n",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP)
def test_no_recursion_error_escapes(source: str) -> None:
    result = lower_source(Source.from_bytes(Path("deep.py"), source.encode()), EXITS)
    if isinstance(result, Trouble):
        assert result.code in ("TL001", "TL004")  # some interpreters cannot parse it
    else:
        assert any(isinstance(node, CallStep) for node in statements(result))


def test_a_recursion_error_becomes_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object, **__: object) -> Module:
        raise RecursionError

    monkeypatch.setattr(lowering, "lower", too_deep)
    result = lower_source(Source.from_bytes(Path("deep.py"), b"a()\n"), EXITS)
    assert isinstance(result, Trouble)
    assert result.code == "TL004"


def chain(kind: str, length: int) -> ast.Module:
    """A parsed chain, made by hand where this interpreter's parser may not take one so long."""
    tree = ast.parse("if a == 0:\n    x = 0\nelse:\n    x = 1\n" if kind == "elif" else "x = a + b\n")
    first = tree.body[0]
    for _ in range(length):
        if kind == "elif":
            assert isinstance(first, ast.If)
            outer = ast.If(first.test, first.body, [first])
            first = ast.copy_location(outer, first)
        else:
            assert isinstance(first, ast.Assign)
            first.value = ast.copy_location(ast.BinOp(first.value, ast.Add(), ast.Name("b", ast.Load())), first.value)
            ast.copy_location(first.value.right, first.value)
    return ast.Module([first], [])


@pytest.mark.parametrize("kind", ["elif", "sum"])
def test_chains_of_elif_and_of_sums_need_no_stack(kind: str) -> None:
    """On the ordinary stack with the ordinary recursion limit: the lowering itself does not recurse."""
    tree = run_deep(lambda: chain(kind, 5000))
    module = lowering.lower("deep.py", tree, EXITS)
    assert sum(isinstance(node, If) for node in statements(module)) == 0  # nothing in it runs
    assert set(module.names) == {"x"}


def test_arms_nest_in_the_else_of_the_arm_before() -> None:
    module = lowering.lower("a.py", ast.parse("if a:\n    f()\nelif b():\n    g()\nelif c:\n    h()\nelse:\n    i()\n"), EXITS)
    (first,) = module.functions["<module>"].body
    assert isinstance(first, If)
    call, second = first.orelse
    assert isinstance(call, CallStep)
    assert isinstance(second, If)
    (third,) = second.orelse
    assert isinstance(third, If)
    assert len(third.orelse) == 1
    assert first.spot == second.spot == third.spot
    assert (first.test.line, second.test.line, third.test.line) == (1, 3, 5)
