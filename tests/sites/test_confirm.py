from __future__ import annotations

import ast

import pytest

from tests.sites.site_texts import source_of, spot_of
from trainlint.edits.site import open_site
from trainlint.finding import Spot

EVERYTHING = '''\
@decorate(1)
async def f(a: int, /, b: str = "ü", *c, d=(2), **e) -> None:
    """Döc"""
    import x.y, z as w
    from . import q as r
    ü = ("é" + b)[1:-2]; g = h = (a), 1.5, 2j, ..., True, None
    ü += -a ** 2
    v: int = await (a).b(*c, k=(not a), **e)
    del v, (g)
    async with a as (n, m), b: pass;
    async for i, (j, k) in (a or b or c and d):
        if (a < b <= c): continue
        elif a is not None: break
        else: raise ValueError(f"{a!r:>{b}} ü") from None
    while (y := a.b.c[0]): assert y, "no"
    with (a, b as n): return sum(t for t in c if t), sum((t for t in c), 1)
    try: yield
    except (A, B) as e: yield a
    except A: pass
    else: global s
    finally: [p for p in a], {p for p in a}, {p: 1 for p in a}, {1, 2}, {1: 2, **e}, lambda x, *y: x if y else 0
    class K(a, metaclass=b):
        pass
    x = "a" "b"  f"c"
'''


DEFINITIONS = [("AsyncFunctionDef", "async"), ("FunctionDef", "def"), ("ClassDef", "class")]

# Before Python 3.12 what stands in a format string has no position of its own.
FORMATTED = {number for number, line in enumerate(EVERYTHING.splitlines(), 1) if 'f"' in line}
DECORATOR = 1


def nodes(text: str) -> list[tuple[str, Spot]]:
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.expr | ast.stmt | ast.excepthandler | ast.keyword | ast.arg | ast.alias):
            spot = Spot(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            if node.lineno != DECORATOR and (node.lineno not in FORMATTED or isinstance(node, ast.stmt)):
                found.append((type(node).__name__, spot))
    return found


def test_every_node_of_a_statement_is_confirmed_at_its_spot() -> None:
    source = source_of(EVERYTHING)
    site = open_site(source, spot_of(source, "AsyncFunctionDef", "async def"))
    tested = nodes(EVERYTHING)
    assert len({kind for kind, _ in tested}) > 45
    assert [(kind, spot) for kind, spot in tested if not site.confirm(kind, spot)] == []


def test_no_node_is_confirmed_one_column_beside_its_spot() -> None:
    source = source_of(EVERYTHING)
    site = open_site(source, spot_of(source, "AsyncFunctionDef", "async def"))
    known = set(nodes(EVERYTHING))
    plain = {number for number, line in enumerate(EVERYTHING.splitlines(), 1) if line.isascii()}
    inner = [(kind, spot) for kind, spot in known if spot.end_line in plain]
    beside = {(kind, spot._replace(end_column=spot.end_column + step)) for kind, spot in inner for step in (-1, 1)}
    assert len(beside - known) > 200
    wrong = [(kind, spot) for kind, spot in beside - known if site.confirm(kind, spot)]
    # libcst ends a block before the semicolon of its last statement, the parser behind it: both are taken.
    assert [kind for kind, _ in wrong] == ["AsyncWith"]


@pytest.mark.parametrize(
    ("text", "kind", "start", "other"),
    [
        ("for x in y: pass\n", "For", "for", "AsyncFor"),
        ("x = True\n", "Constant", "True", "Name"),
        ("x = y\n", "Name", "y", "Constant"),
        ("f(a=1)\n", "keyword", "a=1", "Starred"),
        ("f(*a)\n", "Starred", "*a", "keyword"),
        ("def f(): pass\n", "FunctionDef", "def", "AsyncFunctionDef"),
        ("with a: pass\n", "With", "with", "AsyncWith"),
        ("x = a and b\n", "BoolOp", "a and b", "BinOp"),
        ("def f(): yield from a\n", "YieldFrom", "yield", "Yield"),
        ("def f(): yield a\n", "Yield", "yield", "YieldFrom"),
        ("f()\n", "Call", "f()", "NoSuchKind"),
    ],
)
def test_another_kind_at_the_same_spot_is_not_confirmed(text: str, kind: str, start: str, other: str) -> None:
    source = source_of(text)
    spot = spot_of(source, kind, start)
    site = open_site(source, Spot(1, 0, 1, len(text) - 1))
    assert site.confirm(kind, spot)
    assert not site.confirm(other, spot)


def test_a_node_outside_the_statement_is_not_confirmed() -> None:
    source = source_of("f()\ng()\n")
    site = open_site(source, Spot(1, 0, 1, 3))
    assert not site.confirm("Call", Spot(2, 0, 2, 3))
    assert not site.confirm("Call", Spot(7, 0, 7, 3))


@pytest.mark.parametrize(
    "text",
    [
        "class A:\n    @d(k=1)\n    # c\n\n    @e\n    def f(): pass\n",
        "x = [\n1]\n@d(\n    k=1,\n)\nclass A: pass\n",
        "if a:\n\t@d(k=1)\n\tasync def f(): pass\n",
    ],
)
def test_decorators_belong_to_the_definition_below_them(text: str) -> None:
    source = source_of(text)
    kind, start = next((kind, start) for kind, start in DEFINITIONS if f"{start} " in text.splitlines()[-1])
    definition = spot_of(source, kind, start)
    site = open_site(source, definition)
    assert site.confirm(kind, definition)
    assert site.confirm("keyword", spot_of(source, "keyword", "k=1"))
    assert site.confirm("Call", spot_of(source, "Call", "d("))


def test_the_node_is_given() -> None:
    source = source_of("x = f(a)(b)\n")
    node = open_site(source, Spot(1, 0, 1, 11)).node("Call", Spot(1, 4, 1, 8))
    assert node is not None
    assert type(node).__name__ == "Call"
    assert [child.value.value for child in node.args] == ["a"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("text", "holds"), [("a < b", True), ("a", True), ("a < b:", False)])
def test_any_expression_is_confirmed_as_one(text: str, holds: bool) -> None:
    source = source_of("if a < b:\n    pass\n")
    site = open_site(source, Spot(1, 0, 2, 8))
    assert site.confirm("expr", Spot(1, 3, 1, 3 + len(text))) is holds
    assert not site.confirm("expr", Spot(1, 0, 2, 8))
