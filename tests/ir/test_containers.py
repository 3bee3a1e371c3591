"""What is read of a list or a dict is what was put in last, where the lowering can say so."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.containers import touched_in
from trainlint.ir.lower import lower
from trainlint.ir.nodes import Const, Select, Term
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import of_kind


def asked(body: str) -> list[Term]:
    """What ``ask(…)`` is given in a function with this body, call by call."""
    module = lower("x.py", ast.parse("def f(batch, flag, loader, self):\n" + textwrap.indent(textwrap.dedent(body), "    ")), ())
    calls = [step.term for step in of_kind(module.functions["f"], CallStep)]
    return [call.args[0] for call in calls if getattr(call.callee, "name", "").endswith("ask")]


def known(term: Term) -> object:
    """The constant that a term is; ``?`` where it is not worked out, both of them behind a branch."""
    if isinstance(term, Select):
        return {known(term.then), known(term.other)}
    return term.value if isinstance(term, Const) else "?"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("d = {}\nd['a'] = 1\nask(d['a'])\nask(d['b'])", [1, "?"]),
        ("d = {'a': 1}\nd['a'] = 2\nask(d['a'])", [2]),
        ("d = {'a': 1}\ne = d\ne['a'] = 2\nask(d['a'])", [2]),
        ("d = {'a': {'b': 1}}\nd['a']['b'] = 2\nask(d['a']['b'])", [2]),
        ("d = {'a': 1}\nd[flag] = 2\nask(d['a'])\nask(d[flag])", ["?", 2]),
        ("d = {'a': 1}\ndel d['a']\nask(d['a'])\nask(d.get('a', 3))", ["?", 3]),
        ("d = {'a': 1}\nd.update({'a': 2}, b=3)\nask(d['a'])\nask(d['b'])", [2, 3]),
        ("d = {'a': 1}\nd.update(batch)\nask(d['a'])", ["?"]),
        ("d = {'a': 1}\nask(d.pop('a'))\nask(d.get('a'))\nask(d.pop('a', 5))", [1, None, 5]),
        ("d = {}\nask(d.setdefault('a', 1))\nask(d.setdefault('a', 2))", [1, 1]),
        ("d = {'a': 1}\ne = {**d, 'b': 2}\nask(e['a'])\nask(e['b'])", [1, 2]),
        ("e = {'a': 1, **batch, 'b': 2}\nask(e['a'])\nask(e['b'])", ["?", 2]),
        ("d = dict(a=1)\ne = d.copy()\ne['a'] = 2\nask(d['a'])\nask(e['a'])", [1, 2]),
        ("d = {}\nif flag:\n    d['a'] = 1\nelse:\n    d['a'] = 2\nask(d['a'])", [{1, 2}]),
        ("d = {}\nif flag:\n    d['a'] = 1\nask(d['a'])", ["?"]),
        ("d = {'n': 1}\nd['n'] += 1\nask(d['n'])", ["?"]),
        ("batch['a'] = 1\nask(batch['a'])\nask(batch['b'])", [1, "?"]),
        ("batch[0] = 1\nask(batch[0])", ["?"]),
        ("x = []\nx.append(1)\nx.append(2)\nask(x[0])\nask(x[-1])\nask(x[2])", [1, 2, "?"]),
        ("x = [1]\ny = [1]\nx.append(2)\nask(y[-1])", [1]),
        ("x = [1, 2]\nx.extend([3])\nask(x.pop())\nask(x.pop(0))\nask(x[0])", [3, 1, 2]),
        ("x = [1, *batch]\nask(x[0])\nask(x[1])\nask(x[-1])", [1, "?", "?"]),
        ("from collections import deque\nx = deque()\nx.append(1)\nask(x.popleft())", [1]),
        ("x = [3, 1]\nx.sort()\nask(x[0])", ["?"]),
        ("a, *rest = [1, 2, 3]\nask(a)", [1]),
        ("ask(next(iter([1, 2])))", [1]),
        ("it = iter([1, 2])\nnext(it)\nask(next(it))", ["?"]),
        # whoever is handed a container may change it, a function that only looks does not
        ("d = {'a': 1}\nfill(d)\nask(d['a'])", ["?"]),
        ("d = {'a': 1}\nfill(key=d)\nask(d['a'])", ["?"]),
        ("d = {'a': {'b': 1}}\nfill(d)\nask(d['a']['b'])", ["?"]),
        ("d = {'a': 1}\nprint(len(d))\nask(d['a'])", [1]),
        ("self.d = {'a': 1}\nask(self.d['a'])\nself.step()\nask(self.d['a'])", [1, "?"]),
        # what a loop changes is not known in it, nor behind it
        ("d = {'a': 1}\nfor x in loader:\n    ask(d['a'])\n    d['a'] = 2\n    ask(d['a'])\nask(d['a'])", ["?", 2, "?"]),
        ("d = {'a': 1}\nfor x in loader:\n    print(d['a'])\n    ask(d['a'])\nask(d['a'])", [1, 1]),
        ("d = {'a': [1]}\nfor x in loader:\n    l = d['a']\n    ask(d['a'][0])\n    l.clear()\n    l.append(2)", ["?"]),
        ("for x in loader:\n    d = {}\n    ask(d.get('a', 1))\n    d['a'] = 2", [1]),
        ("d = {'a': 1}\nwhile d.pop('a', 0):\n    ask(d.get('a'))", ["?"]),
        ("x = [1]\n[x.append(2) for y in loader]\nask(x[-1])", ["?"]),
        # so is what a handler finds, and what a function inside changes whenever it is called
        ("d = {'a': 1}\ntry:\n    d['a'] = fill()\nexcept ValueError:\n    ask(d['a'])", ["?"]),
        ("d = {'a': 1}\ndef g():\n    d['a'] = 2\ng()\nask(d['a'])", ["?"]),
        ("def g():\n    d['a'] = 2\nd = {'a': 1}\ng()\nask(d['a'])", ["?"]),
        ("d = {'a': {'b': 1}}\ndef g():\n    d['a']['b'] = 2\ng()\nask(d['a']['b'])", ["?"]),
        ("d = {'a': 1}\ng = lambda: d['a']\nask(d['a'])", [1]),
        # a container in itself
        ("d = {}\nd['a'] = d\nask(d['a']['a'].get('b', 1))\nfill(d)\nask(d['b'])", [1, "?"]),
        ("x = []\nx.append(x)\nx.extend(x)\nask(x[0])", ["?"]),
    ],
)
def test_what_is_read(body: str, expected: list[object]) -> None:
    assert [known(term) for term in asked(body)] == expected


def test_a_container_that_grows_and_grows_is_not_described() -> None:
    body = "x = []\n" + "".join(f"x.append({number})\n" for number in range(2000)) + "ask(x[0])\nx.clear()\nask(x.copy())\n"
    assert known(asked(body)[0]) == "?"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("d['a'] = 1", {"d"}),
        ("d['a']['b'] = 1", {"d"}),
        ("del d['a'].b", {"d"}),
        ("d['a'].b += 1", {"d"}),
        ("d['a'].append(1)", {"d"}),
        ("f(d, x['a'])", {"f", "d"}),
        ("x = d['a']", {"d", "x"}),
        ("print(d['a'], len(d), d.get('b'))", set()),
        ("if 'a' in d and d['a'] > 1:\n    pass", set()),
        ("for x in d:\n    d.clear()", {"d"}),
    ],
)
def test_touched(code: str, names: set[str]) -> None:
    assert touched_in(ast.parse(code).body, {}) == names
