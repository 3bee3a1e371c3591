"""A local function that is called at one place stands there; any other stays what it is."""

import ast

import pytest

from trainlint.ir.lower import lower
from trainlint.ir.nodes import Ref
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Module
from trainlint.ir.walk import of_kind


def lowered(body: str) -> Module:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return lower("x.py", ast.parse(f"def f(xs, other):\n{lines}"), ())


def asked(body: str) -> list[str]:
    """What ``print`` is given in the function itself."""
    calls = [step.term for step in of_kind(lowered(body).functions["f"], CallStep)]
    return [show(call.args[0]) for call in calls if isinstance(call.callee, Ref) and call.callee.name == "builtins.print"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # what it takes from around it is what it is at the call
        ("def g():\n    print(x)\nfor x in xs:\n    g()", ["each(xs)"]),
        ("def g():\n    print(kept)\nkept = 1\ng()\nkept = 2", ["1"]),
        # what it binds
        ("def g():\n    nonlocal kept\n    kept = 2\nkept = 1\ng()\nprint(kept)", ["2"]),
        ("def g():\n    nonlocal kept\n    kept = 2\nkept = 1\nfor x in xs:\n    print(kept)\n    g()", ["<lv kept 6 4 head>"]),
        ("def g():\n    kept = 2\n    return kept\nkept = g()\nprint(kept)", ["2"]),
        ("def g():\n    return 1, 2\na, b = g()\nprint(b)", ["2"]),
        ("def g():\n    xs.sort()\nkept = g()\nprint(kept)", ["None"]),
        # what it is handed
        ("def g(x, n=3):\n    print(x)\n    print(n)\ng(other)", ["other", "3"]),
        ("def g(x, *, n):\n    print(n)\ng(1, n=xs)", ["xs"]),
        ("def g(xs):\n    print(xs)\ng(xs)", ["xs"]),
        # one in another
        ("def g():\n    def h():\n        print(xs)\n    h()\ng()", ["xs"]),
        ("def g():\n    t = 1\n    print(t)\ndef h():\n    t = 2\n    print(t)\ng()\nh()", ["1", "2"]),
        # it may return early where the function returns what it returns
        ("def g():\n    if other:\n        return 1\n    print(xs)\n    return 2\nreturn g()", ["xs"]),
    ],
)
def test_it_stands_where_it_is_called(body: str, expected: list[str]) -> None:
    assert asked(body) == expected
    assert set(lowered(body).functions) == {"<module>", "f"}


@pytest.mark.parametrize(
    "body",
    [
        "def g():\n    print(xs)\ng()\ng()",
        "def g():\n    print(xs)\nuse(g)",
        "def g():\n    print(xs)\n    g()\ng()",
        "def g():\n    print(xs)\nif g():\n    pass",
        "def g():\n    print(xs)\ndef h():\n    g()\nuse(h)",
        "@use\ndef g():\n    print(xs)\ng()",
        "def g(*args):\n    print(xs)\ng()",
        "def g(x):\n    print(xs)\ng(*xs)",
        "def g(x=[]):\n    print(xs)\ng()",
        "def g():\n    print(xs)\n    yield\ng()",
        "def g():\n    global kept\n    kept = 1\n    print(xs)\ng()",
        "def g():\n    if other:\n        return\n    print(xs)\ng()",
        "def g():\n    print(xs)\nif other:\n    def g():\n        pass\ng()",
        # a name of its own that is another one outside
        "def g():\n    other = 1\n    print(xs)\ng()\nuse(other)",
        "def g(other):\n    print(xs)\ng(1)\nuse(other)",
        "def g(other):\n    other += 1\n    print(xs)\ng(other)",
        "def g():\n    n = 1\n    print(xs)\nh = lambda: n\ng()",
        "def g():\n    n = 1\n    print(xs)\ndef h():\n    return n\ng()\nuse(h)",
        "def g(a, b):\n    print(xs)\na, b = xs\ng(b, a)",
    ],
)
def test_it_stays_what_it_is(body: str) -> None:
    assert asked(body) == []
    assert "f.g" in lowered(body).functions
