"""A ``for`` over exactly one known item is no loop; what may have others, or can be left in the middle, is one."""

from __future__ import annotations

import pytest

from tests.ir.revealing import lowered
from trainlint.app.dev.ir import lines


def body(text: str) -> list[str]:
    """The sketch of a function's body, without line numbers."""
    inside = "\n    ".join(text.splitlines())
    shown = list(lines(lowered(f"from itertools import chain\n\n\ndef f(v, w, g, xs, c):\n    {inside}\n")))
    start = next(number for number, line in enumerate(shown) if "function f(" in line)
    return [line[9:].rstrip() for line in shown[start + 1 :]]


@pytest.mark.parametrize(
    ("header", "runs"),
    [
        ("for x in [v]", "g(v)"),
        ("for x in (v,)", "g(v)"),
        ("for x in {v}", "g(v)"),
        ("for x, y in [(v, w)]", "g(v)"),
        ("for n, x in enumerate([v])", "g(v)"),
        ("for x, n in enumerate([v], 3)", "g(3)"),
        ("for x, n in enumerate([v], start=3)", "g(3)"),
        ("for x, y in zip([v], [w, c])", "g(v)"),
        ("for n, (x, y) in enumerate(zip([v], [w]))", "g(v)"),
        ("for x in chain([v], [])", "g(v)"),
        ("for x in reversed([v])", "g(v)"),
        ("for x in sorted([v], key=c)", "g(v)"),
        ("for x in {'a': v}", "g('a')"),
        ("for k, x in {'a': v}.items()", "g(v)"),
        ("for x in {w: v}.values()", "g(v)"),
        ("for x in {'a': v}.keys()", "g('a')"),
    ],
)
def test_one_known_item(header: str, runs: str) -> None:
    shown = body(f"{header}:\n    g(x)\ng(x)")
    assert not any(line.startswith("for ") for line in shown)
    assert shown[-2:] == [f"call {runs}", f"call {runs}"]


@pytest.mark.parametrize(
    "header",
    [
        "for x in [v, w]",
        "for x in [*xs]",
        "for x in []",
        "for x in {**xs}",
        "for x in zip([v], xs)",
        "for x in zip()",
        "for x in zip(*[[v]])",
        "for x in enumerate([v], c)",
        "for x in chain([v], xs)",
        "for x in sorted([v, w])",
        "for x in c([v])",
        "for x in {'a': v}.pop('a')",
        "for x in {v, v}",
        "for x in [v] if c else [w]",
        "for x in 'a'",
        "for x in range(1)",
    ],
)
def test_what_is_not_one_known_item_is_a_loop(header: str) -> None:
    assert any(line.startswith("for ") for line in body(f"{header}:\n    g(x)"))


def test_two_equal_keys_are_one_and_two_others_are_not_told_apart() -> None:
    assert any(line.startswith("for ") for line in body("for x in zip({v: 1, w: 2}, [c]):\n    g(x)"))
    assert body("for x, _ in zip({'a': 1, 'b': 2}, [c]):\n    g(x)")[-1] == "call g('a')"


@pytest.mark.parametrize("way_out", ["break", "continue"])
def test_a_round_that_can_be_left_in_the_middle_stays_one(way_out: str) -> None:
    assert any(line.startswith("for ") for line in body(f"for x in [v]:\n    if c:\n        {way_out}\n    g(x)"))
    inner = body(f"for x in [v]:\n    for y in xs:\n        {way_out}\n    g(x)")
    assert [line for line in inner if line.startswith("for ")] == ["for xs"]


def test_else_runs_behind_the_body() -> None:
    assert body("for x in [v]:\n    g(x)\nelse:\n    g(0)\ng(1)") == ["call g(v)", "call g(0)", "call g(1)"]


def test_what_leaves_the_body_leaves_the_function() -> None:
    assert body("for x in [v]:\n    return x\nelse:\n    g(0)\ng(1)") == ["return v"]


def test_what_the_body_binds_is_known_behind_it() -> None:
    assert body("n = 0\nfor x in [v]:\n    n = n + 1\ng(n)")[-1] == "call g((0 Add 1))"


@pytest.mark.parametrize(
    ("text", "is_loop"),
    [
        ("ys = [v]\nfor x in ys:\n    g(x)", False),
        ("ys = [v]\nfor x in ys:\n    ys.append(x)", True),
        ("ys = [v]\nfor x in ys:\n    g(ys)", True),
        ("ys = [v]\ng(ys)\nfor x in ys:\n    g(x)", True),
        ("ys = [v]\nys.append(w)\nfor x in ys:\n    g(x)", True),
        ("ys = [v]\nzs = ys\nfor x in ys:\n    zs.append(x)", True),
        ("ys = [v]\ndef more():\n    ys.append(w)\nfor x in ys:\n    more()", True),
        ("ys = {}\nys['a'] = v\nfor x in ys.values():\n    g(x)", False),
        ("ys = {}\nys['a'] = v\nfor k, x in ys.items():\n    ys[k] = g(x)", True),
        ("ys = zip([v])\ng(*ys)\nfor x in ys:\n    g(x)", True),  # nothing is left
        ("for x in enumerate(ys := [v]):\n    ys.append(x)", True),
        ("ys = iter([v])\nfor x in enumerate(ys):\n    g(x)", True),
        ("ys = list([v])\nys += xs\nfor x in ys:\n    g(x)", True),
        ("ys = sorted([v])\nys.append(w)\nfor x in ys:\n    g(x)", True),
    ],
)
def test_a_container_that_may_hold_more_by_then(text: str, is_loop: bool) -> None:
    assert any(line.startswith("for ") for line in body(text)) == is_loop


def test_a_list_that_is_drawn_and_filled_holds_more() -> None:
    shown = body("for ys in [[v]]:\n    ys.append(w)\n    for x in ys:\n        g(x)")
    assert any(line.startswith("for ") for line in shown)


@pytest.mark.parametrize(
    "text",
    [
        # the list of an earlier round
        "for y in xs:\n    if y:\n        ys = []\n    ys.append(y)\n    for x in ys:\n        g(x)",
        # whatever was put there when this function was called before
        "ys = {}\ndef inner(y):\n    ys[y] = 1\n    for x in ys:\n        g(x)",
    ],
)
def test_a_container_that_is_older(text: str) -> None:
    lines_of = list(lines(lowered("def f(xs, g):\n    " + "\n    ".join(text.splitlines()) + "\n")))
    assert any("for list(" in line or "for {" in line for line in lines_of)


def drawn(definitions: str) -> list[str]:
    """The sketch of a loop over a generator of the file."""
    shown = list(lines(lowered(f"{definitions}\n\ndef f(v, g):\n    for x in give(v):\n        g(x)\n")))
    start = next(number for number, line in enumerate(shown) if "function f(" in line)
    return [line[9:].rstrip() for line in shown[start + 1 :]]


@pytest.mark.parametrize(
    "definitions",
    [
        "def give(v):\n    yield v",
        "def give(v):\n    'One.'\n    kept = v.x\n    yield kept, 1\n    kept = None",
        "def give(v):\n    yield from inside(v)\ndef inside(v):\n    yield v",
    ],
)
def test_a_generator_that_yields_once(definitions: str) -> None:
    assert drawn(definitions) == ["call give(v)", "call g(give(v)[0])"]


@pytest.mark.parametrize(
    "definitions",
    [
        "def give(v):\n    return [v]",
        "def give(v):\n    yield v\n    yield v",
        "def give(v):\n    if v:\n        yield v",
        "def give(v):\n    for x in v:\n        yield x",
        "def give(v):\n    yield v()",  # may raise StopIteration, and runs more than is seen
        "def give(v):\n    x = (yield v), (yield v)",
        "def give(v):\n    yield (yield v)",
        "def give(v):\n    yield from v",
        "def give(v):\n    yield from give(v)",
        "def give(v):\n    yield from inside(v)\ndef inside(v):\n    yield v\n    yield v",
        "def give(v):\n    return\n    yield v",
        "def give(v):\n    assert v\n    yield v",
        "@twice\ndef give(v):\n    yield v",
        "def give(v):\n    yield v\ngive = 1",
        "def give(v):\n    yield v\ndef give(v):\n    yield from v",
        "def give(v):\n    yield from inside(v)\ndef inside(v):\n    yield v\ninside = list",
        "def give(inside):\n    yield from inside(1)\ndef inside(v):\n    yield v",
        "def give(v):\n    inside = v\n    yield from inside(1)\ndef inside(v):\n    yield v",
        "def give(v):\n    yield from other(v)\ndef other(v):\n    yield from give(v)",
        "async def give(v):\n    yield v",
    ],
)
def test_a_generator_that_may_yield_more_or_nothing(definitions: str) -> None:
    assert "for give(v)" in drawn(definitions)


@pytest.mark.parametrize(
    ("expression", "sketch"),
    [
        ("g([c(x) for x in [v]])", ["call c(v)", "call g(list(c(v)))"]),
        ("g([c(x) for x in [v]][0])", ["call c(v)", "call g(c(v))"]),
        ("g({k: x for k, x in zip([v], [w])})", ["call builtins.zip(list(v), list(w))", "call g({v: w})"]),
        ("g({x for x in (v,)})", ["call g(set(v))"]),
    ],
)
def test_a_comprehension_over_one_known_item_is_a_display(expression: str, sketch: list[str]) -> None:
    assert body(expression) == sketch


@pytest.mark.parametrize(
    "expression",
    ["[g(x) for x in [v] if c]", "[g(x) for x in [v] for y in [w]]", "list(g(x) for x in [v])", "[g(x) for x in [v, w]]"],
)
def test_every_other_comprehension_is_a_loop(expression: str) -> None:
    assert any(line.startswith("for ") for line in body(expression))


def test_a_comprehension_that_fills_what_it_goes_over() -> None:
    assert "for list(v)" in body("ys = [v]\nzs = [ys.append(x) for x in ys]")
