"""A function with its helpers put where it calls them."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.lower import lower
from trainlint.ir.nodes import Ref
from trainlint.ir.order import within
from trainlint.ir.printer import show
from trainlint.ir.sketch import Loop, With
from trainlint.ir.walk import of_kind
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.inlining import Inlined, inlined
from trainlint.program.program import Program, calls_of

START = "from contextlib import contextmanager\nfrom functools import partial\nfrom lib import one, two\n"


def whole(text: str, **others: str) -> Inlined:
    """The function ``run`` of a program."""
    known = load_knowledge({})
    texts = {"main": START + textwrap.dedent(text), **others}
    paths = {f"/p/{name}.py": ast.parse(source) for name, source in texts.items()}
    program = Program(
        {path: lower(path, tree, known.exits) for path, tree in paths.items()}, ModuleFinder(set(paths), ["/p"]), known
    )
    return program.ask_of(inlined, ("/p/main.py", program.modules["/p/main.py"].functions["run"], None))


def calls(text: str, **others: str) -> list[str]:
    """What ``run`` calls, and with what."""
    return [show(node.term) for node in calls_of(whole(text, **others).function)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x):\n    one(x)\ndef run(a):\n    f(a)\n", ["lib.one(a)"]),
        ("def f(x, y=3):\n    one(y)\ndef run(a):\n    f(x=a)\n", ["lib.one(3)"]),
        ("def f(x):\n    return one(x)\ndef run(a):\n    two(f(a))\n", ["lib.one(a)", "lib.two(lib.one(a))"]),
        ("def g(x):\n    one(x)\ndef f(x):\n    g(x)\ndef run(a):\n    f(a)\n", ["lib.one(a)"]),
        (
            "def f(x, y):\n    one(x, y)\ndef run(a):\n    h = partial(f, a)\n    h(2)\n",
            ["functools.partial(f, a)", "lib.one(a, 2)"],
        ),
        ("def f(x):\n    one(x)\ndef run(a):\n    for g in [f]:\n        g(a)\n", ["lib.one(a)"]),
        ("def run(a):\n    def f(x):\n        one(x, a)\n    two(f)\n    f(2)\n", ["lib.two(<fn run.f>)", "lib.one(2, a)"]),
        # a method, and what the constructor was given
        (
            (
                "class A:\n    def __init__(self, x):\n        self.x = x\n    def f(self):\n        one(self.x)\n"
                "def run(a):\n    A(a).f()\n"
            ),
            ["A(a)", "lib.one(a)"],
        ),
        # what a derived class overrides
        (
            (
                "class B:\n    def go(self):\n        self.hook()\nclass A(B):\n    def hook(self):\n        one(2)\n"
                "def run():\n    A().go()\n"
            ),
            ["A()", "lib.one(2)"],
        ),
        # a name that a loop carries
        (
            (
                "def f(t, x):\n    t = t + one(x)\n    return t\n"
                "def run(xs):\n    t = 0\n    for x in xs:\n        t = f(t, x)\n    two(t)\n"
            ),
            ["lib.one(each(xs))", "lib.two(<lv t 9 4 exit>)"],
        ),
        # a context manager
        (
            (
                "@contextmanager\ndef f(x):\n    one(x)\n    yield x\n    two(x)\n"
                "def run(a):\n    with f(a) as b:\n        one(b, 2)\n"
            ),
            ["lib.one(a)", "lib.one(a, 2)", "lib.two(a)"],
        ),
        # what stays a call
        ("def f(x):\n    one(x)\ndef run(a):\n    f(a)\n    f(2)\n", ["f(a)", "f(2)"]),
        ("def f(x):\n    if x:\n        return 1\n    one(x)\ndef run(a):\n    f(a)\n", ["f(a)"]),
        ("@two\ndef f(x):\n    one(x)\ndef run(a):\n    f(a)\n", ["f(a)"]),
        ("def f(x):\n    yield one(x)\ndef run(a):\n    f(a)\n", ["f(a)"]),
        ("def f(*xs):\n    one(xs)\ndef run(a):\n    f(a)\n", ["f(a)"]),
        ("def f(**xs):\n    one(xs['x'])\ndef run(a):\n    f(x=a)\n", ["f(x=a)"]),
        ("def f(x):\n    global kept\n    kept = x\ndef run(a):\n    f(a)\n", ["f(a)"]),
        ("def run(a):\n    run(2)\n", ["run(2)"]),
        (
            "class M:\n    def forward(self, x):\n        one(x)\ndef run(a):\n    m = M()\n    m.forward(a)\n",
            ["M()", "M().forward(a)"],
        ),
    ],
)
def test_what_it_calls(text: str, expected: list[str]) -> None:
    assert calls(text) == expected


def test_what_stays_in_a_block() -> None:
    found = whole("def f(x):\n    with one():\n        two(x)\ndef run(xs):\n    for x in xs:\n        f(x)\n").function
    (loop,), (block,) = of_kind(found, Loop), of_kind(found, With)
    (call,) = [node for node in calls_of(found) if isinstance(node.term.callee, Ref) and node.term.callee.name == "lib.two"]
    assert within(found, loop, call)
    assert within(found, block, call)


def test_a_place_is_in_the_file_and_the_function_where_it_is_written() -> None:
    helper = "from lib import one\n\n\n\n\n\ndef f(x):\n    one(x)\n"
    found = whole("from other import f\ndef run(a):\n    f(a)\n    two(a)\n", other=helper)
    one, two = calls_of(found.function)
    assert [found.path(one.term.site), found.path(two.term.site)] == ["/p/other.py", "/p/main.py"]
    assert [found.home(one.term.site).name, found.home(two.term.site).name] == ["f", "run"]
    assert [found.owns(one.term.site), found.owns(two.term.site)] == [False, True]


def test_names_of_another_file_stay_there() -> None:
    assert calls(
        "from other import f\ndef run(a):\n    f(a)\n", other="\n\n\n\n\ng = open\ndef f(x):\n    h(x)\ndef h(x):\n    pass\n"
    ) == ["other.f(a)"]
