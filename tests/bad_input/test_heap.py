"""Objects and containers that no program needs: rings, one place that is set ten thousand times, functions that never end.

Each ends in a time that grows with its length, nothing fails (TL005), and what is wrong beside it is found all the same.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.bad_input.hostile import beside
from tests.bad_input.running import Found, check, findings_of, write

STORES = 20_000
STATEMENTS = 50_000
HANG = Found("TL101", 6, 9)

LIST_IN_ITSELF = """\
def f(x):
    a = []
    a.append(a)
    b = [a]
    a.append(b)
    d = {'a': a}
    d['d'] = d
    for each in a:
        for one in each:
            a.append(one)
            d[one] = each
    x.step(a[0][0][1][0].place, d['d']['d']['a'][0].place)


f(input())
"""
CONTAINERS_IN_ONE_ANOTHER = """\
A = []
B = {'a': A}
A.append(B)
B['b'] = B
C = [A, B]
A.extend(C)
C.append(C)


def g():
    for x in C:
        for y in x:
            y.step(A[0]['b']['a'][0])


g()
"""
OBJECTS_IN_ONE_ANOTHER = """\
class N:
    def __init__(self, other):
        self.other = other
        self.items = [self]
        self.items.append(self.items)

    def walk(self):
        for x in self.items:
            x.walk()
            self.other = x.other.other


n = N(None)
n.other = N(n)
n.walk()
n.other.other.other.items[0].items[1][1][0].walk()
"""
CLASSES_THAT_INHERIT_FROM_EACH_OTHER = """\
class A(B):
    def go(self):
        super().go()
        self.x = input()


class B(A):
    def go(self):
        super().go()
        self.x.go()


class C(C):
    pass


class D(A, B, C, D):
    def __init__(self):
        super().__init__()


D().go()
B().go()
C().x.go()
"""
PROPERTIES_THAT_CALL_THEMSELVES = """\
class P:
    @property
    def a(self):
        return self.a

    @property
    def b(self):
        return self.c + self.b

    @property
    def c(self):
        return self.b.c if self.a else self.c.b

    def __getattr__(self, name):
        return getattr(self, name)


P().b.step(P().c)
"""
RING_OF_CLASSES = "".join(
    f"class C{each}(C{(each + 1) % 300}):\n    def m(self):\n        super().m()\n\n\n" for each in range(300)
)

RINGS = {
    "a list in itself": LIST_IN_ITSELF,
    "containers in one another": CONTAINERS_IN_ONE_ANOTHER,
    "objects in one another": OBJECTS_IN_ONE_ANOTHER,
    "classes that inherit from each other": CLASSES_THAT_INHERIT_FROM_EACH_OTHER,
    "a ring of 300 classes": RING_OF_CLASSES + "C0().m()\n",
    "properties that call themselves": PROPERTIES_THAT_CALL_THEMSELVES,
}


def long(before: str, line: str, behind: str, count: int = STORES) -> str:
    """A line, as often as that, with its number in the place of ``#``."""
    return before + "".join(line.replace("#", str(number)) for number in range(count)) + behind


OBJECT = "class S:\n    def __init__(self, a):\n        self.d = {}\n"
SAME_PLACE = {
    "a key of a dict": long("def g(a):\n    d = {}\n", "    d['x'] = a.f(#)\n", "    d['x'].step()\n\n\ng(1)\n"),
    "a key of what is handed in": long("def g(d, a):\n", "    d['x'] = a.f(#)\n", "    d['x'].step()\n\n\ng({}, 1)\n"),
    "a key of a dict of the file": long("D = {}\n", "D['x'] = input(#)\n", "D['x'].step()\n"),
    "a key of a dict of an object": long(
        OBJECT, "        self.d['x'] = a.f(#)\n", "\n    def go(self):\n        self.d['x'].step()\n\n\nS(1).go()\n"
    ),
    "an attribute": long(OBJECT, "        self.x = a.f(#)\n", "\n    def go(self):\n        self.x.step()\n\n\nS(1).go()\n"),
    "an attribute by its name": long("def g(o, a):\n", "    setattr(o, 'x', a.f(#))\n", "    o.x.step()\n\n\ng(1, 2)\n"),
    "a global": long(
        "X = None\n\n\ndef g(a):\n    global X\n", "    X = a.f(#)\n", "\n\ndef h():\n    X.step()\n\n\ng(1)\nh()\n"
    ),
    "a list": long("def g(a):\n    kept = []\n", "    kept.append(a.f(#))\n", "    return kept[0]\n\n\ng(1).step()\n"),
}
STATEMENTS_WITHOUT_END = {
    "assignments": long("def g(a):\n", "    v = a.f(#)\n", "    return v\n\n\ng(1)\n", STATEMENTS),
    "a round of a loop": long("def g(loader):\n    for x in loader:\n", "        y# = x + #\n", "\n\ng([])\n", STATEMENTS),
    "tests": long("def g(a):\n", "    if a == #:\n        b = f(#)\n", "\n\ng(1)\n", STATEMENTS // 2),
}


@pytest.mark.parametrize("name", RINGS)
def test_rings(tmp_path: Path, name: str) -> None:
    assert HANG in findings_of(check(write(tmp_path, {"hostile.py": beside(RINGS[name])}), "--select", "ALL", tmp_path))


@pytest.mark.parametrize("name", SAME_PLACE)
def test_stores_to_one_place(tmp_path: Path, name: str) -> None:
    """The time does not grow with the square of their number: that would be half a minute."""
    write(tmp_path, {"hostile.py": beside(SAME_PLACE[name])})
    started = time.process_time()
    assert findings_of(check(tmp_path)) == [HANG]
    assert time.process_time() - started < 10


@pytest.mark.heavy
@pytest.mark.parametrize("name", STATEMENTS_WITHOUT_END)
def test_statements_without_end(tmp_path: Path, name: str) -> None:
    assert findings_of(check(write(tmp_path, {"hostile.py": beside(STATEMENTS_WITHOUT_END[name])}))) == [HANG]
