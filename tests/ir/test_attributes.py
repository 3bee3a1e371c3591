"""An attribute that is set or read by its name is the attribute, where the name is written down."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.lower import lower
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Function, Store
from trainlint.ir.walk import of_kind

CLASS = "NAME = 'rate'\n\nclass A(B):\n    def f(self, obj, v):\n"


def method(body: str) -> Function:
    """A method with this body."""
    return lower("x.py", ast.parse(CLASS + textwrap.indent(textwrap.dedent(body), "        ")), ()).functions["A.f"]


def stores(body: str) -> list[tuple[str, str]]:
    """What it stores where."""
    return [(show(node.target), show(node.value)) for node in of_kind(method(body), Store)]


@pytest.mark.parametrize(
    "body",
    [
        "obj.rate = v",
        "setattr(obj, 'rate', v)",
        "setattr(obj, NAME, v)",
        "object.__setattr__(obj, 'rate', v)",
        "B.__setattr__(obj, 'rate', v)",
        "obj.__setattr__('rate', v)",
        "vars(obj)['rate'] = v",
        "obj.__dict__['rate'] = v",
        "obj.__dict__.update(rate=v)",
        "vars(obj).update({'rate': v})",
        "[setattr(obj, 'rate', v) for _ in v]",
    ],
)
def test_an_attribute_is_set(body: str) -> None:
    assert stores(body) == [("obj.rate", "v")]


def test_super_sets_an_attribute_of_the_object_itself() -> None:
    assert stores("super().__setattr__('rate', v)") == [("self.rate", "v")]


@pytest.mark.parametrize(
    "body",
    [
        "setattr(obj, v, 1)",
        "setattr(obj, 'rate')",
        "setattr(*v)",
        "other.setattr(obj, 'rate', v)",
        "obj.__dict__.update(v)",
        "obj.__dict__.update({'rate': v}, **v)",
        "obj.__dict__[v] = 1",
        "obj.update(rate=v)",
    ],
)
def test_nobody_knows_which(body: str) -> None:
    assert stores(body) == []
    function = method(body)
    assert of_kind(function, CallStep) or "[v]" in body


def asked(body: str) -> list[str]:
    """What ``ask(…)`` is given."""
    calls = [step.term for step in of_kind(method(body), CallStep)]
    return [show(call.args[0]) for call in calls if getattr(call.callee, "name", "").endswith("ask")]


@pytest.mark.parametrize("read", ["obj.rate", "obj.__dict__['rate']", "getattr(obj, 'rate')"])
def test_it_is_read_back(read: str) -> None:
    assert asked(f"setattr(obj, 'rate', 3)\nask({read})") == ["3"]


def test_who_has_all_attributes_may_set_them() -> None:
    assert asked("obj.rate = 3\nask(vars(obj)['rate'])\nask(obj.rate)") == ["obj.rate", "obj.rate"]


def test_what_is_deleted_is_not_known() -> None:
    assert asked("obj.rate = 3\ndelattr(obj, 'rate')\nask(obj.rate)") == ["obj.rate"]


def in_round(body: str) -> str:
    """What a function in a function returns that is defined in each round of a loop, after ``kept = call()``."""
    text = f"def f(xs):\n    for x in xs:\n        kept = x.call()\n        def g():\n            return kept\n{body}"
    module = lower("x.py", ast.parse(text), ())
    return show(module.functions["f.g"].body[0].value)


def test_a_nested_function_finds_what_its_round_bound() -> None:
    assert in_round("        use(g)\n") == "each(xs).call()"
    assert in_round("        use(g)\n    return kept\n") == "each(xs).call()"


@pytest.mark.parametrize("later", ["        kept = 0\n", "    kept = 0\n", "        if x:\n            kept = 0\n"])
def test_but_not_where_it_is_bound_again(later: str) -> None:
    assert in_round(f"{later}    use(g)\n").startswith("<lv kept")
