"""Local names: the steps that bind them, and what these say of the end of a function and of a round."""

from __future__ import annotations

import textwrap

import pytest

from tests.ir.revealing import lowered
from trainlint.ir.bindings import (
    carried_by,
    carried_in,
    carried_names,
    ever_held,
    held_at_end,
    held_behind,
    held_in_rounds,
)
from trainlint.ir.printer import show
from trainlint.ir.sketch import Bind, Function
from trainlint.ir.walk import effects, of_kind, statements_of


def function(body: str, parameters: str = "a, b, c") -> Function:
    lines = body.strip("\n").split("\n")
    return lowered(f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in lines)).functions["f"]


def bound(body: str) -> list[str]:
    found = of_kind(function(body), Bind)
    return [f"{each.spot.line - 1} {each.name} = {each.value and show(each.value)}" for each in found]


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        ("x = y = a", ["1 x = a", "1 y = a"]),
        ("x, *y = a", ["1 x = a[0]", "1 y = <v 2 7>"]),
        ("x: int = a", ["1 x = a"]),
        ("x: int", []),
        ("a += b", ["1 a = (a Add b)"]),
        ("g(x := a)", ["1 x = a"]),
        ("g([x := y for y in a])", ["1 x = each(a)"]),
        ("g([y for y in a])", []),
        ("del a", ["1 a = None"]),
        ("import os.path\nimport sys as s\nfrom os import sep", ["1 os = os", "2 s = sys", "3 sep = os.sep"]),
        ("for x, y in a:\n    x = b", ["1 x = each(a)[0]", "1 y = each(a)[1]", "2 x = b"]),
        ("for a.x in b:\n    pass", []),
        ("with a as x, b as (y, z):\n    pass", ["1 x = entered(a)", "1 y = entered(b)[0]", "1 z = entered(b)[1]"]),
        ("match a:\n    case x if x.b:\n        pass", ["2 x = a"]),
        ("if a:\n    x = b\nelse:\n    x = c", ["2 x = b", "4 x = c", "1 x = (b if a else c)"]),
        ("if a:\n    x = b\nelse:\n    x = b", ["2 x = b", "4 x = b"]),
        ("if a:\n    b = c\n    return\nb.x()", ["2 b = c"]),
    ],
)
def test_each_binding_is_a_step(body: str, steps: list[str]) -> None:
    assert bound(body) == steps


def test_steps_stand_where_they_run() -> None:
    body = function("x = a()\nif b:\n    x = c()\nx.d()").body
    assert [type(node).__name__ for node in body] == ["CallStep", "Bind", "If", "Bind", "CallStep"]


def test_what_only_binds_runs_nothing() -> None:
    found = function("x = a\nif b:\n    x = c\nx.d()")
    assert [type(node).__name__ for node in found.body] == ["Bind", "Choice", "Bind", "CallStep"]
    assert len(effects(found.body)) == len(statements_of(found)) == 1


@pytest.mark.parametrize(
    ("body", "held"),
    [
        ("x = a.g()", {"x": "a.g()"}),
        ("b = a.g()\ndel b", {}),
        ("if a:\n    b = c.g()\n    return", {}),
        ("if a:\n    b = c.g()\nelse:\n    return", {"b": "c.g()"}),
        ("if a:\n    b = c.g()\nelif c:\n    b = c.h()\n    raise b", {"b": "c.g()"}),
        ("try:\n    b = a.g()\nexcept E:\n    return", {"b": "a.g()"}),
        ("try:\n    raise a\nexcept E:\n    b = a.g()", {"b": "a.g()"}),
        ("with a:\n    b = a.g()\n    return", {"b": "a.g()"}),
        ("for x, y in a:\n    b = x.g()", {"x": "each(a)[0]", "y": "each(a)[1]"}),
        ("for x in a:\n    x = x.g()", {}),
        ("while True:\n    b = a.g()\nb = a.h()", {}),
        ("while True:\n    break\nb = a.h()", {"b": "a.h()"}),
    ],
)
def test_what_names_hold_at_the_end(body: str, held: dict[str, str]) -> None:
    found = held_at_end(function(body, ""))
    assert {name: show(term).replace("builtins.", "") for name, term in found.items()} == held


def test_parameters_are_held_until_they_are_bound_anew() -> None:
    assert list(map(show, held_at_end(function("a = 1\ndel b")).values())) == ["c"]


@pytest.mark.parametrize(
    ("body", "held"),
    [
        ("for x in a:\n    b = x.g()", {"b": "each(a).g()"}),
        ("for x in a:\n    if x.c:\n        b = x.g()\n        break", {}),
        ("for x in a:\n    for y in x:\n        b = y.g()\n    b = x.g()", {"b": "each(a).g()"}),
        ("while a.g():\n    d = a.h()", {"d": "a.h()"}),
        ("d = a.g()\nfor x in a:\n    d = 1", {}),
    ],
)
def test_what_names_hold_at_the_end_of_a_round(body: str, held: dict[str, str]) -> None:
    assert {name: show(term) for name, term in held_in_rounds(function(body)).items()} == held


@pytest.mark.parametrize(
    ("body", "phis"),
    [
        ("for x in a:\n    b += x", ["b head: b, (<lv b 2 4 head> Add each(a))", "b exit: None, (<lv b 2 4 head> Add each(a))"]),
        ("for x in a:\n    b = 1", ["b head: b, 1"]),  # what it holds behind the loop does not say where it came from
        ("for x in a:\n    d = x.g()", ["d exit: None, each(a).g()"]),
        (
            "while a:\n    for x in a:\n        b = x.g()\n    c = b",
            [
                "b head: <lv b 2 4 head>, each(a).g()",
                "b exit: None, each(a).g()",
                "b head: b, <lv b 3 8 exit>",
                "c head: c, <lv b 3 8 exit>",
            ],
        ),
        ("def g():\n    nonlocal b\n    b = 1", ["b head: b, None"]),
    ],
)
def test_what_goes_into_a_name_of_a_loop_or_of_a_nested_function(body: str, phis: list[str]) -> None:
    found = function(body).phis.items()
    assert [
        f"{name.name} {name.at}: {phi.entry and show(phi.entry)}, {phi.back and show(phi.back)}" for name, phi in found
    ] == phis


def test_what_a_loop_carries_and_leaves() -> None:
    found = function("for x in a:\n    b = x.g()\n    d = x.h()\ndef g():\n    nonlocal c\n    c = 1\nd = 1")
    assert [(each.name.name, show(each.entry), show(each.back)) for each in carried_names(found)] == [("b", "b", "each(a).g()")]
    head, behind, other, shared = found.phis
    assert [carried_in(found, each) is not None for each in (head, behind, other, shared)] == [True, False, False, False]
    assert carried_by(found, behind) == carried_by(found, head) == carried_in(found, head)
    assert carried_by(found, other) is carried_by(found, shared) is None
    left = [held_behind(found, each) for each in (head, behind, other, shared)]
    assert [each and show(each) for each in left] == [None, "each(a).g()", "each(a).h()", None]
    assert "each(a).h()" in map(show, ever_held(found))


def test_a_class_binds_attributes_not_names() -> None:
    module = lowered("class A:\n    x = 1\n    y = 2 if x else 3\n")
    assert [each.name for each in of_kind(module.functions["<module>"], Bind)] == ["A"]


def test_a_chain_of_hundreds_of_arms_is_followed() -> None:
    arms = "".join(f"elif a == {n}:\n    x = c.m{n}()\n    return x\n" for n in range(1, 700))
    chain = f"if a == 0:\n    x = b()\n{arms}"
    assert show(held_at_end(function(chain))["x"]) == "b()"
    endless = textwrap.indent(f"while True:\n{textwrap.indent(chain, '    ')}", "    ")
    assert show(held_at_end(function(f"x = b()\nif a:\n{endless}"))["x"]) == "b()"
