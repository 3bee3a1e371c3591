"""Repairs on generated programs: what they leave alone stays byte for byte, what they write means what was asked."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sites.site_texts import SAFE, changed, source_of
from trainlint.edits.apply import verify
from trainlint.edits.changes import Hoist, InsertFirst
from trainlint.edits.site import open_site
from trainlint.finding import Spot

SIMPLE = [
    "a()",
    "b(c, 'é')  # ü",
    "x = a",
    "x.y += 1",
    "a(\n»1,\n»# inside\n»2)",
    'x = """\n  text\n"""',
    "a(); b()",
    "c(x); x = 1; a()  # two",
    "for i in c(): break",
    "pass",
    "# alone\na()",
    "\n# far\n\n# near\nb()",
]
EXITS = ["return", "raise a", "yield x", "if a: return"]
HEADERS = ["for i in c(x):", "while a():", "if x.y:  # why", "with a as x:", "if b(\n»x):", "def f():", "try:"]


@st.composite
def blocks(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """The lines of a block; ``»`` is one step of indentation."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 9))
        if kind < 5 or depth == 3:
            lines += draw(st.sampled_from(SIMPLE)).split("\n")
        elif kind == 5:
            lines.append(draw(st.sampled_from(EXITS)))
        else:
            lines += draw(compounds(depth))
    return lines


@st.composite
def compounds(draw: st.DrawFn, depth: int) -> list[str]:
    header = draw(st.sampled_from(HEADERS))
    if draw(st.integers(0, 4)) == 0 and header.startswith(("for", "while")):
        return [header + draw(st.sampled_from([" a()", " a(); b()  # one"]))]
    lines = header.split("\n")
    if header == "def f():" and draw(st.booleans()):
        lines.append("»'''Doc'''")
    lines += inner(draw(blocks(depth + 1)))
    if header == "try:":
        return [*lines, "except a:", *inner(draw(blocks(depth + 1)))]
    if header.startswith("if"):
        if draw(st.booleans()):
            lines += ["elif c():", *inner(draw(blocks(depth + 1)))]
        if draw(st.booleans()):
            lines += ["else:  # no", *inner(draw(blocks(depth + 1)))]
    return lines


def inner(lines: list[str]) -> list[str]:
    return ["»" + line if line else line for line in lines]


@st.composite
def programs(draw: st.DrawFn) -> str:
    step = draw(st.sampled_from(["    ", "  ", "\t"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = end.join(["def main():", *inner(draw(blocks()))]).replace("»", step)
    return text + draw(st.sampled_from(["", end]))


def spot(node: ast.stmt) -> Spot:
    return Spot(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


def bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list) and body:
            yield body


def words(text: str) -> Counter[str]:
    """The tokens of ``text``, comments included, without layout."""
    layout = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    plain = "\n".join(text.replace("\r\n", "\n").split("\r"))
    return Counter(token.string for token in tokenize.generate_tokens(io.StringIO(plain).readline) if token.type not in layout)


@settings(max_examples=60)
@given(programs(), st.data())
def test_inserting_first_adds_that_statement_and_touches_nothing_else(text: str, data: st.DataObject) -> None:
    tree = ast.parse(text)
    candidates = [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While, ast.If, ast.With, ast.FunctionDef))]
    block = data.draw(st.sampled_from(candidates))
    source = source_of(text)
    after = changed(open_site(source, spot(block)), InsertFirst(*SAFE, spot(block), "new()"))
    assert after is not None
    assert verify(source, after)
    at = 1 if isinstance(block, ast.FunctionDef) and ast.get_docstring(block) is not None else 0
    block.body.insert(at, ast.parse("new()").body[0])
    assert ast.dump(ast.parse(after)) == ast.dump(tree)
    if block.body[1 - at].lineno > block.lineno:
        remaining = [line for line in after.splitlines(keepends=True) if line.strip() != "new()"]
        assert "".join(remaining).rstrip("\r\n") == text.rstrip("\r\n")
    assert words(after) == words(text) + words("new()")


@settings(max_examples=150)
@given(programs(), st.data())
def test_hoisting_moves_that_statement_and_touches_nothing_else(text: str, data: st.DataObject) -> None:
    tree = ast.parse(text)
    owners = {id(child): body for node in ast.walk(tree) for body in bodies(node) for child in body}
    guards = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    pairs = [
        (guard, body, child) for guard in guards for body in bodies(guard) for child in body if not isinstance(child, ast.If)
    ]
    if not pairs:
        return
    guard, body, child = data.draw(st.sampled_from(pairs))
    source = source_of(text)
    statement = spot(child)
    after = changed(open_site(source, spot(guard)), Hoist(*SAFE, statement, spot(guard)))
    if after is None:
        return
    assert verify(source, after)
    around = owners[id(guard)]
    position = around.index(guard)
    gone = Counter()
    if len(body) == 1 and body is guard.orelse:
        gone = words("else:")
        guard.orelse = []
        around.insert(position + 1, child)
    elif len(body) == 1:
        gone = words(f"if {ast.unparse(guard.test)}:")
        around[position] = child
    else:
        first = child is body[0]
        body.remove(child)
        around.insert(position if first else position + 1, child)
    assert ast.dump(ast.parse(after)) == ast.dump(tree)
    lost = words(text) - words(after)
    lost.subtract(gone)
    # A semicolon between the statement and its neighbour is all that may go.
    assert {word for word, count in lost.items() if count} <= {";"}
    assert not words(after) - words(text)
