"""Which calls the sketch has, in which order, and in which branches and loops they stand."""

from __future__ import annotations

import pytest

from tests.ir.revealing import calls, lowered, statements
from trainlint.app.dev.ir import lines
from trainlint.ir.nodes import Global, Ref
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep


@pytest.mark.parametrize(
    ("expression", "order"),
    [
        ("a(b(c()), d())", ["c", "b", "d", "a"]),
        ("a(k=b(), *c())", ["c", "b", "a"]),  # positional arguments first, as Python does
        ("a().b(c())", ["a", "c", "a().b"]),
        ("{a(): b(), c(): d()}", ["a", "b", "c", "d"]),
        ("[a(), (b(), {c()})]", ["a", "b", "c"]),
        ("a() + b() * c()", ["a", "b", "c"]),
        ("a() < b() < c()", ["a", "b", "c"]),
        ("a()[b():c()]", ["a", "b", "c"]),
        ("f'{a()} {b()!r}'", ["a", "b"]),
        ("a(lambda: b())", ["a", "b"]),  # the lambda's body is another function
    ],
)
def test_order(expression: str, order: list[str]) -> None:
    assert calls(lowered(f"def f(a, b, c, d):\n    {expression}\n")) == order


def test_an_assignment_runs_its_value_before_its_target() -> None:
    assert calls(lowered("def f(a, b, c):\n    a().x = b(c())\n")) == ["c", "b", "a"]


def body(expression: str) -> str:
    """The sketch of one statement of a function, without line numbers."""
    text = list(lines(lowered(f"def f(a, b, c, d, xs, t):\n    {expression}\n")))
    start = next(number for number, line in enumerate(text) if "function f(" in line)
    return "\n".join(line[9:].rstrip() for line in text[start + 1 :])


@pytest.mark.parametrize(
    ("expression", "sketch"),
    [
        ("a() and b()", "call a()\nif a()\n    call b()"),
        ("a() or b()", "call a()\nif a()\nelse\n    call b()"),
        ("t and a() and b()", "if t\n    call a()\nif (t and a())\n    call b()"),
        ("t and c", ""),
        ("a() if t else b()", "if t\n    call a()\nelse\n    call b()"),
        (
            "[a(x) for x in b(xs) if c(x)]",
            "call b(xs)\nfor b(xs)\n    call c(each(b(xs)))\n    if c(each(b(xs)))\n        call a(each(b(xs)))",
        ),
        ("assert a(), t", "call a()\nif a()\nelse\n    raise"),
        ("while a(): b()", "while a()\n    call a()\n    call b()"),
        ("return a(b())", "call b()\ncall a(b())\nreturn a(b())"),
    ],
)
def test_what_runs_under_a_condition_stands_in_its_branch(expression: str, sketch: str) -> None:
    assert body(expression) == sketch


def test_what_follows_an_exit_is_dropped_and_what_follows_the_main_guard_is_not() -> None:
    assert calls(lowered("def f(a, b):\n    return a()\n    b()\n")) == ["a"]
    source = "import sys\nif __name__ == '__main__':\n    sys.exit(0)\ndef f(a): a()\n"
    assert "f" in lowered(source).functions


def test_suppress_lets_control_past_its_return() -> None:
    source = "import contextlib\ndef f(a, b, other):\n    with {}:\n        return a()\n    b()\n"
    assert calls(lowered(source.format("contextlib.suppress(OSError)"))) == ["contextlib.suppress", "a", "b"]
    assert calls(lowered(source.format("other()"))) == ["other", "a"]


def test_a_break_in_an_inner_else_leaves_the_endless_loop() -> None:
    source = """
        def f(a, xs):
            while True:
                for x in xs:
                    {}
                else:
                    break
            a()
    """
    assert calls(lowered(source.format("pass"))) == ["a"]
    assert calls(lowered("def f(a, xs):\n    while True:\n        for x in xs:\n            break\n    a()\n")) == []


def test_classes_functions_and_annotations() -> None:
    module = lowered(
        """
            from typing import Optional
            import torch
            class A(torch.nn.Module):
                kind = "a"
                @staticmethod
                def s(x: Optional[torch.Tensor], y: "Later", *, z: int | None = None): pass
                @property
                def p(self): yield 1
                @classmethod
                def c(cls): pass
                def m(self):
                    def inner(): pass
            class Later: pass
            """
    )
    kinds = {name: (function.kind, function.cls, function.outer) for name, function in module.functions.items()}
    assert kinds == {
        "<module>": ("module", None, None),
        "A.s": ("static", "A", None),
        "A.p": ("property", "A", None),
        "A.c": ("classmethod", "A", None),
        "A.m": ("method", "A", None),
        "A.m.inner": ("function", None, "A.m"),
    }
    static = module.functions["A.s"]
    assert (static.parameters, static.positional) == (("x", "y", "z"), 2)
    annotations = {name: (type(term), show(term)) for name, term in static.annotations.items()}
    assert annotations == {"x": (Ref, "torch.Tensor"), "y": (Global, "Later"), "z": (Ref, "builtins.int")}
    assert [name for name, function in module.functions.items() if function.generator] == ["A.p"]
    assert module.classes["A"].methods == {"s": "A.s", "p": "A.p", "c": "A.c", "m": "A.m"}


@pytest.mark.parametrize(
    ("expression", "order"),
    [
        ("partial(f, a)(b)", ["f(a, b)"]),
        ("partial(f, a, k=b, n=c)(d, k=a)", ["f(a, d, n=c, k=a)"]),
        ("partial(f, *xs)(a)", ["f(*xs, a)"]),
        ("partial(a.step, b)()", ["functools.partial(a.step, b)()"]),  # repairs count the arguments that a call is written with
        ("partial(print, b)(c)", ["functools.partial(builtins.print, b)(c)"]),
    ],
)
def test_a_call_of_a_partial_is_that_of_its_function(expression: str, order: list[str]) -> None:
    source = f"from functools import partial\ndef f(*args, **kwargs): ...\ndef g(a, b, c, d, xs):\n    {expression}\n"
    called = [show(step.term) for step in statements(lowered(source)) if isinstance(step, CallStep)]
    assert called[1:] == order


STACK = """\
from contextlib import ExitStack
def f(*args): ...
def g(a, b):
    with ExitStack() as outer, ExitStack() as stack:
        {0}
"""


@pytest.mark.parametrize(
    ("body", "sketch"),
    [
        ("stack.callback(f, a)", "call f(a)"),
        ("stack.callback(f, a); b()", "try / call b() / finally / call f(a)"),
        ("stack.callback(f, a); stack.callback(f, b)", "try / call f(b) / finally / call f(a)"),  # last in, first out
        ("b(); outer.callback(f)", "call b() / call f()"),
        ("stack.callback(f, a); return b()", "try / call b() / return b() / finally / call f(a)"),
        ("stack.callback(a.close)", "call entered(contextlib.ExitStack()).callback(a.close)"),
    ],
)
def test_what_a_stack_is_given_runs_at_its_end(body: str, sketch: str) -> None:
    text = [line[5:].strip() for line in lines(lowered(STACK.format(body)))]
    assert " / ".join(text[next(at for at, line in enumerate(text) if line.startswith("with ")) + 1 :]) == sketch
