"""What values are after they went through containers, iteration and generators: ``probe(value)`` asks for one."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.lower import lower
from trainlint.ir.nodes import Const, Subscript
from trainlint.knowledge import KnowledgeError, load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import WIDEST, Program, calls_of
from trainlint.program.values import Instance, Library, LibraryObject, Unresolved, Value

PATH = "/project/main.py"
IMPORTS = """
import argparse, collections, copy, itertools, torch
from collections import ChainMap, OrderedDict, defaultdict, deque, namedtuple
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from types import SimpleNamespace
from typing import NamedTuple
A, B = torch.a, torch.b
"""


def probed(text: str) -> list[set[str]]:
    """What is said of each value that is probed: names, constants, and ``?`` for what is not known."""
    module = lower(PATH, ast.parse(IMPORTS + textwrap.dedent(text)), ())
    program = Program({PATH: module}, ModuleFinder({PATH}, ["/project"]), load_knowledge())
    found: list[set[str]] = []
    for function in module.functions.values():
        frame = program.frame(PATH, function)
        for step in calls_of(function):
            callee = program.values(step.term.callee, frame)
            if getattr(callee[0], "function", None) is module.functions["probe"]:
                values = program.values(step.term.args[0], frame)
                assert 0 < len(values) <= WIDEST
                found.append({_said(value) for value in values})
    assert found
    return found


def _said(value: Value) -> str:
    if isinstance(value, Library):
        return value.name.removeprefix("torch.")
    if isinstance(value, LibraryObject):
        return f"{value.name.removeprefix('torch.')}()"
    if isinstance(value, Instance):
        return value.cls.name
    return str(value.term.value) if isinstance(value, Unresolved) and isinstance(value.term, Const) else "?"


def probe(text: str) -> set[str]:
    (found,) = probed(f"def probe(x): pass\n{textwrap.dedent(text)}")
    return found


@pytest.mark.parametrize(
    "subject",
    [
        "[A]",
        "(A,)",
        "{A}",
        "iter([A])",
        "reversed([A])",
        "sorted([A], key=str)",
        "list(tuple([A]))",
        "chain([], [A])",
        "chain(*[[A], []])",
        "chain.from_iterable([[A], []])",
        "itertools.islice([A], 3)",
        "itertools.cycle([A])",
        "itertools.repeat(A, 3)",
        "filter(None, [A])",
        "map(lambda x: x, [A])",
        "map(lambda i: A, range(3))",
        "[x for x in [A]]",
        "(x for x in [A])",
        "{x: 1 for x in [A]}",
        "{'k': A}.values()",
        "{A: 1}",
        "{A: 1}.keys()",
        "{**{A: 1}}",
        "dict(k=A).values()",
        "[*[A]]",
        "[] + [A]",
        "[A] * 4",
        "deque([A])",
        "dict.fromkeys([A])",
        "[[A]][0]",
    ],
)
def test_elements(subject: str) -> None:
    assert probe(f"for x in {subject}: probe(x)") == {"a"}
    assert probe(f"def f():\n    return {subject}\ndef g(xs):\n    for x in xs: probe(x)\ng(f())") == {"?"}, "nobody calls g here"
    assert probe(f"def f():\n    return {subject}\nfor x in f(): probe(x)") == {"a"}
    assert probe(f"probe(next(iter({subject})))") == {"a"}
    assert probe(f"probe([x for x in {subject}][0])") == {"a"}


@pytest.mark.parametrize(
    ("target", "subject"),
    [
        ("x, y", "zip([A], [B])"),
        ("y, x", "zip([B], [A])"),
        ("y, x", "zip(*[[B], [A]])"),
        ("i, x", "enumerate([A])"),
        ("i, (x, y)", "enumerate(zip([A], [B]))"),
        ("k, x", "{'k': A}.items()"),
        ("x, v", "{A: B}.items()"),
        ("i, (k, x)", "enumerate({'k': A}.items(), 1)"),
        ("x, y", "[(A, B)]"),
        ("y, x", "[(b, a) for a, b in [(A, B)]]"),
        ("y, x", "list(zip([B], [A]))"),
        ("y, *x", "[(B, A)]"),
        ("x, *y", "[(A, B)]"),
        ("y, x", "itertools.product([B], [A])"),
        ("y, x", "itertools.zip_longest([B], [A])"),
        ("y, x", "map(lambda a, b: (b, a), [A], [B])"),
    ],
)
def test_elements_of_pairs(target: str, subject: str) -> None:
    wanted = {"?"} if "*x" in target else {"a"}
    assert probe(f"for {target} in {subject}: probe(x)") == wanted


@pytest.mark.parametrize(
    "expression",
    [
        "list(map(lambda x: x, [A, B]))[0]",
        "list(zip([B], [A]))[0][1]",
        "list([A, B])[0]",
        "{'k': A}.copy()['k']",
        "dict({'k': A, 'j': B})['k']",
        "copy.copy({'k': A})['k']",
        "copy.deepcopy([A, B])[0]",
        "{**{'k': A}, 'j': B}['k']",
        "{**{'k': B}, 'k': A}['k']",
        "({'k': A} | {'j': B})['k']",
        "dict(k=A, j=B)['k']",
        "dict({'j': B}, k=A)['k']",
        "dict(**{'k': A, 'j': B})['k']",
        "dict([('k', A)])['k']",
        "dict(zip(['k'], [A]))['k']",
        "dict.fromkeys(['k'], A)['k']",
        "OrderedDict(k=A)['k']",
        "OrderedDict([('k', A)])['k']",
        "defaultdict(lambda: A)['k']",
        "defaultdict(list, k=A)['k']",
        "deque([A, B])[0]",
        "ChainMap({}, {'k': A})['k']",
        "{k: A for k in 'xyz'}['k']",
        "{'k': A}.get('k')",
        "{'k': A}.get('k', B)",
        "{'j': B}.get('k', A)",
        "{'k': A}.pop('k')",
        "{'k': A}.pop('k', None)",
        "{}.setdefault('k', A)",
        "[B, A].pop(1)",
        "deque([A]).popleft()",
        "{'k': A}.popitem()[1]",
        "{'o': {'k': A}}['o']['k']",
        "{'o': [B, {'k': A}]}.get('o')[1].copy()['k']",
        "next(zip([B], [A]))[1]",
        "next(iter([]), A)",
        "[B, *[A, A]][1]",
        "[*[B], A][-1]",
        "SimpleNamespace(k=A, j=B).k",
        "SimpleNamespace(**{'k': A, 'j': B}).k",
        "vars(SimpleNamespace(k=A, j=B))['k']",
        "argparse.Namespace(k=A).k",
        "namedtuple('Row', ['j', 'k'])(B, A).k",
        "namedtuple('Row', 'j k')(B, k=A).k",
        "namedtuple('Row', 'j k')(B, A)[1]",
        "{'k': A}.__getitem__('k')",
    ],
)
def test_items(expression: str) -> None:
    assert probe(f"probe({expression})") == {"a"}
    assert probe(f"x = {expression}\nprobe(x)") == {"a"}
    assert probe(f"def f():\n    return {expression}\nprobe(f())") == {"a"}


@pytest.mark.parametrize(
    ("filling", "taking"),
    [
        ("d = {}; d['k'] = A", "d['k']"),
        ("d = {}; d['k'] = A; d['j'] = B", "d['k']"),
        ("d = {}; d.update(k=A, j=B)", "d['k']"),
        ("d = {}; d.update({'k': A, 'j': B})", "d['k']"),
        ("d = {'j': B}; d.setdefault('k', A)", "d['k']"),
        ("d = dict(); d['k'] = A", "d['k']"),
        ("d = defaultdict(list); d['k'].append(A)", "d['k'][0]"),
        ("d = {'k': []}; d['k'].append(A)", "d['k'][0]"),
        ("d = []; d.append(A)", "d[0]"),
        ("d = []; d.append(A)", "d[-1]"),
        ("d = []; d.extend([A])", "d[0]"),
        ("d = []; d.extend(x for x in [A])", "d.pop()"),
        ("d = []; d.insert(0, A)", "d[0]"),
        ("d = set(); d.add(A)", "next(iter(d))"),
        ("d = deque(); d.append(A)", "d.popleft()"),
        ("d = deque(); d.appendleft(A)", "d.pop()"),
        ("d = []; d.append((B, A))", "d[0][1]"),
        ("d = {}; d['k'] = A", "d.copy()['k']"),
        ("d = {}; d['k'] = A", "{**d}['k']"),
        ("d = {}; d['k'] = A", "dict(d)['k']"),
        ("d = {}; d['k'] = A", "next(iter(d.values()))"),
        ("d = {}; d[A] = 1", "next(iter(d))"),
        ("d = {'o': {}}; d['o']['k'] = A", "d['o']['k']"),
        ("d = {'k': None}; d['k'] = A", "d['k']"),
        ("d = []\nfor i in range(3): d.append(A)", "d[0]"),
    ],
)
def test_what_is_put_in(filling: str, taking: str) -> None:
    lines = filling.replace("; ", "\n").split("\n")
    inside = "\n".join(f"    {line}" for line in lines)
    assert probe("\n".join([*lines, f"probe({taking})"])) == {"a"}
    assert probe(f"def f():\n{inside}\n    return d\nd = f()\nprobe({taking})") == {"a"}
    assert probe(f"{lines[0]}\ndef f():\n" + "\n".join(f"    {line}" for line in lines[1:]) + f"\nf()\nprobe({taking})") == {"a"}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("for a in [A, B][x:]: probe(a)", {"a", "b"}),
        ("probe([A, A][x:][0])", {"a"}),
        ("d = {'k': A}\nd['k'] = B\nprobe(d['k'])", {"b"}),
        ("d = {'k': A}\nd['j'] = B\nprobe(d['k'])", {"a"}),
        ("d = {'k': A}\nd.update(x)\nprobe(d['k'])", {"a", "?"}),
        ("d = {'k': A}\nd[x] = B\nprobe(d['k'])", {"a", "b"}),
        ("d = {'k': A, **x}\nprobe(d['k'])", {"a", "?"}),
        ("d = {**x, 'k': A}\nprobe(d['k'])", {"a"}),
        ("d = {'j': A}\nprobe(d['k'])", {"?"}),
        ("probe(x['k'])", {"?"}),
        ("probe(x.get('k', A))", {"?"}),
        ("probe(next(x))", {"builtins.next()"}),
        ("probe({'k': x}.get('k', A))", {"?"}),
        ("probe({'k': B}.get(x, A))", {"b", "a"}),
        ("for a in x: probe(a)", {"?"}),
        ("for a, b in zip(x, [A]): probe(a)", {"?"}),
        ("for a in [*x, A]: probe(a)", {"?", "a"}),
        ("probe([*x, A][1])", {"?", "a"}),
        ("for a in chain(x, [A]): probe(a)", {"?", "a"}),
        ("for a in [A, B]: probe(a)", {"a", "b"}),
        ("probe([A, B][x])", {"a", "b"}),
        ("d = []\nd.append(A)\nprobe(d[x])", {"a"}),
        ("probe(sorted([A, B])[0])", {"a", "b"}),
        ("probe([A for i in x][0])", {"a"}),
        ("probe([A for i in x for j in i][0])", {"?"}),
        ("d = {'k': A}\ne = {'k': B}\nprobe(d['k'])", {"a"}),
    ],
)
def test_alternatives(text: str, values: set[str]) -> None:
    assert probe("def f(x):\n" + textwrap.indent(text, "    ")) == values


@pytest.mark.parametrize(
    "text",
    [
        "def gen():\n    yield A\nfor x in gen(): probe(x)",
        "def gen():\n    yield A\nprobe(next(gen()))",
        "def gen():\n    yield A\nprobe(list(gen())[0])",
        "def gen():\n    yield A\nprobe(next(x for x in gen()))",
        "def gen():\n    yield B, A\nfor i, (y, x) in enumerate(gen()): probe(x)",
        "def gen(v):\n    yield v\ndef outer(v):\n    yield from gen(v)\nfor x in outer(A): probe(x)",
        "def gen(vs):\n    for v in vs:\n        yield v\nfor x in gen([A]): probe(x)",
        "def gen():\n    yield from [A]\nfor x in gen(): probe(x)",
        "class C:\n    def __init__(self, v): self.v = v\n    def each(self): yield self.v\nfor x in C(A).each(): probe(x)",
        "class C:\n    def __init__(self, v): self.v = v\n    def __iter__(self): yield self.v\nfor x in C(A): probe(x)",
        "class C:\n    def __init__(self, v): self.v = v\n    def __iter__(self): return iter([self.v])\nfor x in C(A): probe(x)",
        (
            "class C:\n    def __init__(self, v): self.v = v\n    def __iter__(self): return self\n"
            "    def __next__(self): return self.v\nfor x in C(A): probe(x)"
        ),
        "class C:\n    def __init__(self, v): self.v = v\n    def __getitem__(self, i): return self.v\nprobe(C(A)[3])",
        "class C:\n    def __init__(self, v): self.v = v\n    def __getitem__(self, i): return self.v\nfor x in C(A): probe(x)",
        (
            "class C:\n    def __init__(self): self.rows = {}\n    def __setitem__(self, k, v): self.rows[k] = v\n"
            "    def __getitem__(self, k): return self.rows[k]\nc = C()\nc['k'] = A\nc['j'] = B\nprobe(c['k'])"
        ),
        (
            "class C:\n    def __init__(self): self.rows = {}\n    def put(self, k, v): self.rows[k] = v\n"
            "    def take(self, k): return self.rows[k]\nc = C()\nc.put('k', A)\nc.put('j', B)\nprobe(c.take('k'))"
        ),
        "class C:\n    def __init__(self): self.rows = []\n    def fill(self): self.rows.append(A)\nc = C()\nprobe(c.rows[0])",
        (
            "class C:\n    def __init__(self):\n        self.rows = []\n    def fill(self): self.rows.append(A)\n"
            "    def use(self): probe(self.rows[0])"
        ),
        (
            "class P:\n    def fill(self): self.rows['k'] = A\nclass C(P):\n    def __init__(self): self.rows = {}\n"
            "    def use(self): probe(self.rows['k'])"
        ),
        "class C(dict): pass\nc = C()\nc['k'] = A\nprobe(c['k'])",
        "ROWS = {}\ndef fill(): ROWS['k'] = A\ndef use(): probe(ROWS['k'])",
        "def fill(d): d['k'] = A\nd = {}\nfill(d)\nprobe(d['k'])",
        "def inner(d, v): d.append(v)\ndef fill(d, v): inner(d, v)\nd = []\nfill(d, A)\nprobe(d[0])",
        "def take(d, k): return d[k]\nprobe(take({'k': A, 'j': B}, 'k'))",
        "@dataclass\nclass Row:\n    j: object\n    k: object = B\nprobe(Row(B, A).k)",
        "@dataclass\nclass Row:\n    k: object = A\nprobe(Row().k)",
        "@dataclass\nclass Row:\n    k: object\nprobe(Row(k=A).k)",
        "@dataclass\nclass Base:\n    j: object\n@dataclass\nclass Row(Base):\n    k: object\nprobe(Row(B, A).k)",
        "class Row(NamedTuple):\n    j: object\n    k: object\nprobe(Row(B, A).k)",
        "class Row(NamedTuple):\n    j: object\n    k: object\ny, x = Row(B, A)\nprobe(x)",
        "class Row(NamedTuple):\n    j: object\n    k: object\nfor x in [Row(B, A)]: probe(x.k)",
        "Row = namedtuple('Row', ['j', 'k'])\ny, x = Row(B, A)\nprobe(x)",
        "Row = namedtuple('Row', ['j', 'k'])\nrows = []\nrows.append(Row(B, A))\nprobe(rows[0].k)",
        "@contextmanager\ndef held(v):\n    yield v\nwith held(A) as x: probe(x)",
        (
            "class C:\n    def __init__(self, v): self.v = v\n    def __enter__(self): return self.v\n"
            "    def __exit__(self, *a): pass\nwith C(A) as x: probe(x)"
        ),
    ],
)
def test_code_of_the_project(text: str) -> None:
    assert probe(text) == {"a"}


def test_objects_of_the_project() -> None:
    assert probe("class C: pass\nd = {'a': C(), 'b': 1}\ndef f(k): probe(d[k])") == {"C"}
    assert probe("class C:\n    def __enter__(self): return self\n    def __exit__(self, *a): pass\nwith C() as x: probe(x)") == {
        "C"
    }
    assert probe("class C:\n    def get(self, k, other=None): return A\nprobe(C().get('k', B))") == {"a"}


@pytest.mark.parametrize(
    "text",
    [
        "d = []\nd.append(d)\nprobe(d[0])",
        "d = {}\nd['k'] = d['k']\nprobe(d['k'])",
        "d = {}\nd['k'] = d\nprobe(d['k']['k']['k'])",
        "d = {}\nd.update(d)\nprobe(d['k'])",
        "d = []\nd.extend(d)\nfor x in d: probe(x)",
        "d, e = {}, {}\nd.update(e)\ne.update(d)\nprobe(d['k'])",
        "d = {}\nd.update(d.copy())\nprobe(d.copy().copy()['k'])",
        "def gen():\n    yield from gen()\nfor x in gen(): probe(x)",
        "def one():\n    yield from two()\ndef two():\n    yield from one()\nfor x in one(): probe(x)",
        "class C:\n    def __iter__(self): return iter(self)\nfor x in C(): probe(x)",
        "class C:\n    def __iter__(self):\n        yield from self\nfor x in C(): probe(x)",
        "class C:\n    def __getitem__(self, k): return self[k]\nprobe(C()['k'])",
        "class C(dict):\n    def __setitem__(self, k, v): self[k] = v\nc = C()\nc['k'] = A\nprobe(c['k'])",
        "class C:\n    def __enter__(self): return self.__enter__()\nwith C() as x: probe(x)",
        "class C:\n    @property\n    def rows(self): return self.rows\n    def use(self): probe(self.rows[0])",
        (
            "class C:\n    def __init__(self, rows): self.rows = rows\n    def half(self, n): return C(self.rows[n:2 * n])\n"
            "    def use(self): probe(self.rows[0])"
        ),
        "def fill(d): fill(d)\nd = {}\nfill(d)\nprobe(d['k'])",
        (
            "def make(name, d={}):\n    c = d[name]\n    e = d[c['type']]\n    e.update(e['all'])\n    e.update(c)\n"
            "    name = e.pop('type')\n    f = d[name]\n    g = d[f['type']]\n    g.update(g['all'])\n    g.update(f)\n"
            "    probe(c['module'])\n    return make(name, d)"
        ),
        "f = map(lambda x: next(f), [1])\nprobe(next(f))",
        "probe(next(next(next(iter([])))))",
        "probe(dict(dict(dict()))['k'].get('j', {}).get('i'))",
        "probe(zip(*zip(*zip(*[]))))",
        "for x in zip(*x): probe(x)",
        "d = {}\n" + "".join(f"d['k{i}'] = d.get('k{i - 1}', d)\n" for i in range(60)) + "probe(d['k59'])",
        "d = [[]]\n" + "".join(f"d.append([d[{i}], d[{i}]])\n" for i in range(40)) + "probe(d[-1][0][1][0])",
        "x = [A]\n" + "x = [y for y in chain(x, x, x)]\n" * 40 + "probe(x[0])",
    ],
)
def test_what_has_no_end(text: str) -> None:
    probe(text)


@pytest.mark.parametrize("text", ["0 -> 1", "0[*]", "0[* -> result", "0{} -> result", "0[=x] -> result", "x -> result", ""])
def test_entries_that_make_no_sense(text: str) -> None:
    with pytest.raises(KnowledgeError, match=r"propagation"):
        load_knowledge({"propagation": {"library.wrap": [text]}})


def test_entries_of_ones_own() -> None:
    text = "def probe(x): pass\nimport library\nd = library.wrap(1, [A])\nprobe(d['k'])"
    module = lower(PATH, ast.parse(IMPORTS + text), ())
    knowledge = load_knowledge({"propagation": {"library.wrap": ["1[*] -> result[?]"]}})
    program = Program({PATH: module}, ModuleFinder({PATH}, ["/project"]), knowledge)
    top = module.functions["<module>"]
    (asked,) = (step.term.args[0] for step in calls_of(top) if step.term.args and isinstance(step.term.args[0], Subscript))
    assert program.values(asked, program.frame(PATH, top)) == (Library("torch.a"),)


def test_much_that_is_passed_on() -> None:
    """Forty functions pass a dict to four others each; who looks at all ways from one to the next has no end."""
    last = 40
    text = "".join(f"def f{i}(d):\n" + "".join(f"    f{j}(d)\n" for j in range(i + 1, i + 5)) for i in range(last))
    text += "".join(f"def f{i}(d): pass\n" for i in range(last, last + 4)) + "d = {}\nf0(d)\nprobe(d['k'])"
    assert probe(text) == {"?"}


def test_much_that_is_unpacked() -> None:
    """Each value is one of two items of either of two before."""
    text = "def f(a, b):\n    a, b = a[b], b[a]\n    return a[0] or b[0]\ndef g(x):\n    x = f(x, x)\n"
    assert probe(text + "    x = f(x[0], x[1])\n" * 30 + "    probe(x[0][1])") == {"?"}
