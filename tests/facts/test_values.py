"""What a term can stand for: values that travel through callables, arguments and scopes."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.lower import lower
from trainlint.ir.nodes import Const
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import of_kind
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, FunctionValue, Instance, Library, LibraryObject, Unresolved, Value

START = """
import functools, operator, contextlib
from functools import partial, partialmethod
from operator import attrgetter, itemgetter, methodcaller
from contextlib import contextmanager
from lib import make, Thing
"""


def program(**files: str) -> Program:
    known = load_knowledge({})
    paths = {f"/p/{name}.py": ast.parse(START + textwrap.dedent(text)) for name, text in files.items()}
    modules = {path: lower(path, tree, known.exits) for path, tree in paths.items()}
    return Program(modules, ModuleFinder(set(paths), ["/p"]), known)


def values(text: str, **others: str) -> list[str]:
    """What the argument of the call ``use(…)`` in a program can be, in the order in which it is found."""
    made = program(main=text, **others)
    found = [
        made.values(node.term.args[0], made.frame(path, function))
        for path, function in made.functions()
        for node in of_kind(function, CallStep)
        if getattr(node.term.callee, "name", "") in ("use", "builtins.use")
    ]
    assert len(found) == 1
    return [said(value) for value in found[0]]


def said(value: Value) -> str:
    if isinstance(value, Unresolved):
        return repr(value.term.value) if isinstance(value.term, Const) else "?"
    if isinstance(value, Instance):
        return f"a {value.cls.name}"
    if isinstance(value, ClassValue):
        return value.cls.name
    if isinstance(value, FunctionValue):
        return value.function.qualname
    if isinstance(value, LibraryObject):
        given = "" if value.call is None or value.frame is None else arguments(value)
        return f"{value.name}({given})"
    return value.name if isinstance(value, Library) else value.module


def arguments(value: LibraryObject) -> str:
    assert value.call is not None
    positional = [str(arg.value) if isinstance(arg, Const) else "?" for arg in value.call.args]
    named = [f"{name}={arg.value if isinstance(arg, Const) else '?'}" for name, arg in value.call.kwargs]
    return ", ".join([*positional, *named])


PICK = "def first(a, b=8, *rest, c=9, **more):\n    return a\ndef second(a, b=8, *rest, c=9, **more):\n    return b\n"

CALLABLES = {
    "partial": ("use(partial(first, 1)())", ["1"]),
    "later arguments": ("use(partial(second, 1)(2))", ["2"]),
    "a default behind what is given": ("use(partial(second, 1)())", ["8"]),
    "a keyword": ("use(partial(second, b=3)(1))", ["3"]),
    "a later keyword wins": ("use(partial(second, b=3)(1, b=4))", ["4"]),
    "nested": ("use(partial(partial(second, 1), 2)())", ["2"]),
    "nested, in three": ("use(partial(partial(partial(second), 1), b=5)())", ["5"]),
    "in a dict": ("held = {'a': partial(first, 1)}\nuse(held['a']())", ["1"]),
    "of a library's function": ("use(partial(make, 1, k=2)(3, j=4))", ["lib.make(1, 3, k=2, j=4)"]),
    "one of two": ("f = partial(first, 1) if make() else partial(first, 2)\nuse(f())", ["1", "2"]),
    "given in a helper": ("def give(x):\n    return partial(first, x)\nuse(give(7)())", ["7"]),
    "of an unknown": ("def of(unseen):\n    return partial(unseen, 1)\nuse(of(make)())", ["lib.make(1)"]),
    "of a parameter": ("def of(unseen):\n    use(partial(unseen, 1)())", ["?"]),
    "of nothing": ("use(partial()())", ["?"]),
    "of itself": ("f = partial(f, 1)\nuse(f())", ["?"]),
    "item": ("use(itemgetter('k')({'k': 3}))", ["3"]),
    "position": ("use(itemgetter(1)((3, 4)))", ["4"]),
    "several items": ("use(itemgetter(1, 0)((3, 4))[0])", ["4"]),
    "attribute": ("use(attrgetter('sub.x')(make()))", ["lib.make.sub.x"]),
    "several attributes": ("use(attrgetter('x', 'y')(make())[1])", ["lib.make.y"]),
    "no object": ("use(attrgetter('x')())", ["?"]),
    "held elsewhere": ("def get(thing):\n    return attrgetter('x')(thing)\nuse(get(make()))", ["lib.make.x"]),
}


@pytest.mark.parametrize("name", CALLABLES)
def test_callables(name: str) -> None:
    body, expected = CALLABLES[name]
    assert values(f"{PICK}{body}\n") == expected
    inside = textwrap.indent(body, "    ")
    if name != "of itself":
        assert values(f"{PICK}def run():\n{inside}\n") == expected


CLASS = """
class Base:
    def __init__(self, kept, other=0):
        self.kept = kept
        self.other = other
        self.fn = partial(second, 1)
    def __call__(self, x=5):
        return self.kept if x is None else x
    def give(self, x, y=6):
        return y
    def own(self):
        return self
    named = partialmethod(give, 4)
    named_later = partialmethod(give, y=7)
    doubled = partialmethod(named, 3)
    borrowed = first
class Quiet:
    pass
class Plain:
    def __call__(self):
        return 1
"""

OBJECTS = {
    "called": ("use(Plain()())", ["1"]),
    "called with": ("use(Base(1)(2))", ["2"]),
    "not to be called": ("use(Quiet()())", ["?"]),
    "a bound method": ("use(partial(Base(1).give, 4)(5))", ["5"]),
    "a bound method's object": ("use(partial(Base(3).own)().kept)", ["3"]),
    "a class": ("use(partial(Base, 3)().kept)", ["3"]),
    "a class, later": ("use(partial(Base, 3)(4).other)", ["4"]),
    "a class, from a helper": ("def of(k):\n    return partial(Base, k)\nuse(of(3)().kept)", ["3"]),
    "a class, from a helper, later": ("def of(k):\n    return partial(Base, k)\ndef run(x):\n    use(of(x)(x))", ["a Base"]),
    "in an attribute": ("use(Base(1).fn(2))", ["2"]),
    "partialmethod": ("use(Base(1).named(8))", ["8"]),
    "partialmethod by name": ("use(Base(1).named_later(8))", ["7"]),
    "partialmethod of another": ("use(Base(1).doubled())", ["3"]),
    "a function as a method": ("use(Base(3).borrowed().kept)", ["3"]),
    "methodcaller": ("use(methodcaller('give', 1, y=2)(Base(0)))", ["2"]),
    "an attribute": ("use(attrgetter('kept')(Base(4)))", ["4"]),
    "through partial of an object": ("use(partial(Plain())())", ["1"]),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name: str) -> None:
    body, expected = OBJECTS[name]
    assert values(f"{PICK}{CLASS}{body}\n") == expected


TAKE = """
def item(*xs):
    return xs[1]
def last(*xs):
    return xs[-1]
def key(**kw):
    return kw["k"]
def got(**kw):
    return kw.get("k", 7)
def on(*xs, **kw):
    return second(*xs, **kw)
def mixed(a, *xs):
    return item(a, *xs)
def all_of(**kw):
    return {**kw}
def within(*xs):
    def inner():
        return xs[0]
    return inner()
"""

ARGUMENTS = {
    "an item of *args": ("use(item(1, 2))", ["2"]),
    "the last": ("use(last(1, 2, 3))", ["3"]),
    "no such item": ("use(item(1))", ["?"]),
    "handed on": ("use(on(1, 2))", ["2"]),
    "handed on by name": ("use(on(1, b=3))", ["3"]),
    "handed on with another": ("use(mixed(1, 2))", ["2"]),
    "in a function inside": ("use(within(5))", ["5"]),
    "an item of **kwargs": ("use(key(k=3))", ["3"]),
    "get": ("use(got(k=3))", ["3"]),
    "get, not given": ("use(got())", ["7"]),
    "a tuple": ("xs = (1, 2)\nuse(second(*xs))", ["2"]),
    "a tuple, then another": ("use(second(*(1,), 2))", ["2"]),
    "a tuple of a helper": ("def pair():\n    return 1, 2\nuse(second(*pair()))", ["2"]),
    "an unknown": ("use(first(*unseen, 2))", ["?"]),
    "an unknown, then a default": ("use(second(*unseen))", ["8", "?"]),
    "a dict": ("d = {'a': 1, 'b': 2}\nuse(second(**d))", ["2"]),
    "a dict, not all": ("use(second(1, **{'c': 2}))", ["8"]),
    "a call of dict": ("d = dict(a=1, b=2)\nuse(second(**d))", ["2"]),
    "a dict with another in it": ("use(second(1, **{'b': 2, **unseen}))", ["8", "?"]),
    "another, then a key": ("use(second(1, **{**unseen, 'b': 2}))", ["2"]),
    "an unknown dict": ("use(second(1, **unseen))", ["8", "?"]),
    "a dict for **kwargs": ("use(key(**{'k': 1}))", ["1"]),
    "a dict that grows": ("def run(name):\n    d = {'a': 1}\n    d[name] = 2\n    use(second(**d))", ["8", "?"]),
    "a list that grows": ("def run():\n    xs = [1]\n    xs.append(2)\n    use(second(*xs))", ["8", "?"]),
    "a partial with *": ("use(partial(second, *(1, 2))())", ["2"]),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(name: str) -> None:
    body, expected = ARGUMENTS[name]
    assert values(f"{PICK}{TAKE}{body}\n") == expected


SCOPES = {
    "a global": ("x = None\ndef put(v):\n    global x\n    x = v\ndef run():\n    put(3)\n    use(x)\n", ["3"]),
    "a global with a value": ("x = 1\ndef put():\n    global x\n    x = 2\ndef run():\n    use(x)\n", ["1", "2"]),
    "only None": ("x = None\ndef put():\n    global x\n    x = None\ndef run():\n    use(x)\n", ["None"]),
    "nobody binds it before": ("def put():\n    global x\n    x = 2\ndef run():\n    use(x)\n", ["2"]),
    "put by two": (
        "x = None\ndef put(v):\n    global x\n    x = v\ndef run():\n    put(3)\n    put(4)\n    use(x)\n",
        ["3", "4"],
    ),
    "put by another": (
        "x = None\ndef put(v):\n    global x\n    x = v\ndef through(w):\n    put(w)\ndef run():\n    through(3)\n    use(x)\n",
        ["3"],
    ),
    "a function that is wrapped": (
        (
            "def keep():\n    return 1\ndef wrapped(f):\n    return f\n"
            "def run():\n    global keep\n    keep = wrapped(keep)\ndef go():\n    use(keep)\n"
        ),
        ["keep"],
    ),
    "a function in the place of another": (
        (
            "def keep():\n    return 1\ndef other():\n    return 2\n"
            "def run():\n    global keep\n    keep = other\ndef go():\n    use(keep())\n"
        ),
        ["1", "2"],
    ),
    "nobody puts": ("x = None\ndef put(v):\n    global x\n    x = v\ndef run():\n    use(x)\n", ["?"]),
    "wraps itself": (
        "x = make()\ndef more():\n    global x\n    x = Thing(x)\ndef run():\n    use(x)\n",
        ["lib.make()", "lib.Thing(?)"],
    ),
    "from itself only": ("x = None\ndef more():\n    global x\n    x = x\ndef run():\n    use(x)\n", ["None"]),
    "nonlocal": ("def run():\n    x = None\n    def f():\n        nonlocal x\n        x = 3\n    f()\n    use(x)\n", ["3"]),
    "nonlocal, given": (
        "def run():\n    x = None\n    def f(v):\n        nonlocal x\n        x = v\n    f(3)\n    f(4)\n    use(x)\n",
        ["3", "4"],
    ),
    "nonlocal, bound again": (
        "def run():\n    x = 1\n    def f():\n        nonlocal x\n        x = 3\n    x = 2\n    f()\n    f()\n    use(x)\n",
        ["1", "2", "3"],
    ),
    "nonlocal, read inside": (
        (
            "def run():\n    x = None\n    def f():\n        nonlocal x\n        x = make()\n"
            "    def g():\n        use(x)\n    f()\n    g()\n"
        ),
        ["lib.make()"],
    ),
    "nonlocal counter": (
        "def run():\n    n = 0\n    def f():\n        nonlocal n\n        n += 1\n    f()\n    f()\n    use(n)\n",
        ["0", "?"],
    ),
    "a loop's name": ("def run(xs):\n    x = 1\n    for x2 in xs:\n        x = make(x)\n    use(x)\n", ["?"]),
    "a default of the function around": (
        "def run(a):\n    def f(x=a):\n        return x\n    return f()\nuse(run(5))\n",
        ["5"],
    ),
}


@pytest.mark.parametrize("name", SCOPES)
def test_scopes(name: str) -> None:
    text, expected = SCOPES[name]
    assert values(text) == expected


def test_a_global_of_another_file() -> None:
    state = "current = None\ndef put(v):\n    global current\n    current = v\n"
    assert values("import state\ndef run():\n    state.put(3)\n    use(state.current)\n", state=state) == ["3"]


MANAGERS = {
    "a generator": ("@contextmanager\ndef of(v):\n    yield v\nwith of(3) as x:\n    use(x)\n", ["3"]),
    "in a try": (
        (
            "@contextlib.contextmanager\ndef of(v):\n    try:\n        yield v\n"
            "    finally:\n        make()\nwith of(3) as x:\n    use(x)\n"
        ),
        ["3"],
    ),
    "of two": (
        (
            "@contextmanager\ndef of(v):\n    if make():\n        yield v\n"
            "    else:\n        yield 4\nwith of(3) as x:\n    use(x)\n"
        ),
        ["3", "4"],
    ),
    "of nothing": ("@contextmanager\ndef of():\n    yield\nwith of() as x:\n    use(x)\n", ["None"]),
    "of itself": ("@contextmanager\ndef of(v):\n    with of(v) as x:\n        yield x\nwith of(3) as x:\n    use(x)\n", ["?"]),
    "no manager": ("def of(v):\n    yield v\nwith of(3) as x:\n    use(x)\n", ["?"]),
    "an object": ("class M:\n    def __enter__(self):\n        return 3\nwith M() as x:\n    use(x)\n", ["3"]),
    "an object itself": ("class M:\n    def __enter__(self):\n        return self\nwith M() as x:\n    use(x)\n", ["a M"]),
    "nullcontext": ("with contextlib.nullcontext(3) as x:\n    use(x)\n", ["3"]),
    "a library's": ("with make() as x:\n    use(x)\n", ["lib.make()"]),
}


@pytest.mark.parametrize("name", MANAGERS)
def test_managers(name: str) -> None:
    text, expected = MANAGERS[name]
    assert values(text) == expected


#: Programs that lead back to themselves.
CIRCLES = [
    "def f(*xs):\n    return f(*xs)\nuse(f(1))\n",
    "def f(*xs):\n    return f(*f(*xs))\nuse(f(1))\n",
    "def f(**kw):\n    return f(**kw, more=f(**kw))\nuse(f(a=1))\n",
    "xs = [1]\nxs = [*xs]\ndef f(*a):\n    return a[0]\nuse(f(*xs))\n",
    "f = partial(f)\ng = partial(g, f)\nf = partial(g, g)\nuse(f(f)(g))\n",
    "class A:\n    def __call__(self):\n        return self()\nuse(A()())\n",
    "class A:\n    def __call__(self):\n        return A()()\nuse(A()())\n",
    "class A:\n    m = partialmethod(m)\n    n = partialmethod(m)\n    m = partialmethod(n)\nuse(A().m())\n",
    "class A:\n    def __enter__(self):\n        with self as x:\n            return x\nwith A() as x:\n    use(x)\n",
    "x = y = None\ndef f():\n    global x\n    x = y\ndef g():\n    global y\n    y = x\ndef run():\n    use(x)\n",
    "x = None\ndef put(v):\n    global x\n    x = v\n    put(x)\n    put(v)\ndef run():\n    put(x)\n    use(x)\n",
    "def run(a):\n    x = a\n    def f():\n        nonlocal x\n        x = g()\n    def g():\n        return f()\n    use(x)\n",
    "g = attrgetter('a')\nuse(g(g(g)))\n",
    "m = methodcaller('m', 1)\nclass A:\n    def m(self, x):\n        return m(self)\nuse(m(A()))\n",
    "def f(x=f):\n    return x()\nuse(f())\n",
    "def f(a, *, b):\n    return partial(f, a, b=a)\nuse(f(1, b=2)(b=f)(3))\n",
]


@pytest.mark.parametrize("text", CIRCLES)
def test_circles_end(text: str) -> None:
    assert values(text)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = Thing(1)\nif flag:\n    x = make(x)\nuse(x)", ["lib.Thing(1)"]),
        ("x = Thing(1)\nif flag:\n    x = make(9, model=x)\nif other:\n    x = make(x)\nuse(x)", ["lib.Thing(1)"]),
        ("x = make(Thing(1)) if flag else Thing(2)\nuse(x)", ["lib.make(?)", "lib.Thing(2)"]),
        ("x = Thing(1)\nif flag:\n    x = make(2)\nuse(x)", ["lib.make(2)", "lib.Thing(1)"]),
        ("x = Thing(1)\nx = make(x)\nuse(x)", ["lib.make(?)"]),
        ("x = other(1)\nif flag:\n    x = make(x)\nuse(x)", ["lib.make(?)", "?"]),
    ],
)
def test_what_an_unknown_function_hands_back(body: str, expected: list[str]) -> None:
    assert values("def f(flag, other):\n" + textwrap.indent(body, "    ")) == expected


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("if flag:\n    self.x = make(self.x)", ["lib.Thing(1)"]),
        ("self.x = make(self.x)", ["lib.Thing(1)", "lib.make(?)"]),
    ],
)
def test_what_an_attribute_holds_that_is_handed_back(after: str, expected: list[str]) -> None:
    made = "self.x = Thing(1)\n" + after
    text = (
        f"class A:\n    def __init__(self, flag):\n{textwrap.indent(made, '        ')}\n    def f(self):\n        use(self.x)\n"
    )
    assert values(text) == expected


def test_a_number_that_is_counted_up_is_no_key() -> None:
    text = """
    class Reader:
        def following(self):
            self.number = number = self.number + 2
            return number

    def main(answers):
        answers[Reader().following()] = Thing()
        use(answers[Reader().following()])
    """
    assert values(text) == ["lib.Thing()", "?"]
