"""What is read of a list or a dict is what was put in last, where the lowering can say so."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.ir.containers import touched_in
from trainlint.ir.lower import lower
from trainlint.ir.nodes import Const, Global, Ref, Select, Subscript, Term
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
        ("d = {'a': 1}\ndef g():\n    d['a'] = 2\nuse(g)\nask(d['a'])", ["?"]),
        ("def g():\n    d['a'] = 2\nd = {'a': 1}\nuse(g)\nask(d['a'])", ["?"]),
        ("d = {'a': {'b': 1}}\ndef g():\n    d['a']['b'] = 2\nuse(g)\nask(d['a']['b'])", ["?"]),
        ("d = {'a': 1}\ng = lambda: d['a']\nask(d['a'])", [1]),
        # a container in itself
        ("d = {}\nd['a'] = d\nask(d['a']['a'].get('b', 1))\nfill(d)\nask(d['b'])", [1, "?"]),
        ("x = []\nx.append(x)\nx.extend(x)\nask(x[0])", ["?"]),
    ],
)
def test_what_is_read(body: str, expected: list[object]) -> None:
    assert [known(term) for term in asked(body)] == expected


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        ("", "torch.optim.SGD"),
        ("KINDS['Adam'] = None", "torch.optim.SGD"),
        ("KINDS['SGD'] = torch.optim.Adam", "torch.optim.Adam"),
        ("def g(name):\n    print(len(KINDS), KINDS.get(name))\n    return KINDS[name]()", "torch.optim.SGD"),
        ("def g(name):\n    return KINDS[name].create()", None),
        ("def g():\n    KINDS['SGD'] = None", None),
        ("def g():\n    KINDS.clear()", None),
        ("def g():\n    global KINDS\n    KINDS = {}", None),
        ("def g():\n    register(KINDS)", None),
        ("register(KINDS)", None),
        ("if slow:\n    KINDS = {}", None),
        ("KINDS = {'SGD': 1}", None),
    ],
)
def test_a_table_of_the_top_level_that_nobody_changes(top: str, expected: str | None) -> None:
    code = f"import torch\nKINDS = {{'SGD': torch.optim.SGD}}\n{top}\ndef f():\n    return KINDS['SGD'](1)\n"
    (call,) = of_kind(lower("x.py", ast.parse(code), ()).functions["f"], CallStep)
    callee = call.term.callee
    assert (callee.name if isinstance(callee, Ref) else None) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("getattr(optim, name)", "torch.optim.Optimizer"),
        ("getattr(optim, name, None)", "torch.optim.Optimizer"),
        ("getattr(optim, name, optim.Adam)", "torch.optim.Optimizer"),
        ("getattr(optim, name, torch.Adam)", None),
        ("getattr(torch.optim, 'SGD')", "torch.optim.SGD"),
        ("optim.__dict__[name]", "torch.optim.Optimizer"),
        ("optim.__dict__['SGD']", "torch.optim.SGD"),
        ("getattr(optim, name, make)", None),
        ("getattr(torch, name)", None),
        ("getattr(name, name)", None),
        ("torch.__dict__[name]", None),
        ("optim.table[name]", None),
    ],
)
def test_any_member_of_a_module_of_one_kind(written: str, expected: str | None) -> None:
    code = f"import torch\nfrom torch import optim\ndef f(name, make):\n    ask({written})\n"
    module = lower("x.py", ast.parse(code), (), {"torch.optim": "torch.optim.Optimizer"})
    *_, call = of_kind(module.functions["f"], CallStep)
    (given,) = call.term.args
    assert (given.name if isinstance(given, Ref) else None) == expected


def test_a_table_of_what_the_file_defines() -> None:
    code = "class Net: pass\nSIZE = make()\nKINDS = {'net': Net, 'size': SIZE}\ndef f():\n    KINDS['net'](KINDS['size'])\n"
    (call,) = of_kind(lower("x.py", ast.parse(code), ()).functions["f"], CallStep)
    assert isinstance(call.term.callee, Global)
    assert isinstance(call.term.args[0], Subscript), "what is no class or function may be another thing each time"


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
        ("d['a'](x)", {"x"}),
        ("d['a'].b(x)", {"d", "x"}),
        ("print(d['a'], len(d), d.get('b'))", set()),
        ("if 'a' in d and d['a'] > 1:\n    pass", set()),
        ("for x in d:\n    d.clear()", {"d"}),
    ],
)
def test_touched(code: str, names: set[str]) -> None:
    assert touched_in(ast.parse(code).body, {}) == names
