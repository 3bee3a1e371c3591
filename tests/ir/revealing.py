"""Sources that say what the model must know: ``reveal(x)  # reveals: TERM`` on lines of their own."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from trainlint.ir.lower import lower
from trainlint.ir.nodes import Term
from trainlint.ir.printer import show
from trainlint.ir.sketch import SILENT, Block, CallStep, If, Loop, Module, Try, With

EXITS = frozenset({"sys.exit"})

_EXPECTED = re.compile(r"reveal\(.*  # reveals: (.+)$")


def flush(source: str) -> str:
    """The source as a file has it: from the first column of the first line."""
    return textwrap.dedent(source).lstrip("\n")


def lowered(source: str) -> Module:
    return lower("file.py", ast.parse(flush(source)), EXITS)


def parts(node: Any) -> Iterator[Block]:
    """The blocks directly inside a statement."""
    if isinstance(node, If | Loop):
        yield from (node.body, node.orelse)
    elif isinstance(node, With):
        yield node.body
    elif isinstance(node, Try):
        yield from (node.body, *node.handlers, node.orelse, node.final)


def statements(module: Module) -> Iterator[Any]:
    """All statements but those that only bind names."""
    waiting = [node for function in reversed(module.functions.values()) for node in reversed(function.body)]
    while waiting:
        node = waiting.pop()
        if type(node) in SILENT:
            continue
        yield node
        waiting += [inner for block in reversed(list(parts(node))) for inner in reversed(block)]


def calls(module: Module) -> list[str]:
    """The names of what is called, in the order in which the sketch has it."""
    return [show(node.term.callee) for node in statements(module) if isinstance(node, CallStep)]


def revealed(source: str) -> dict[int, str]:
    """For each line: what its ``reveal`` is given."""
    found = {}
    for node in statements(lowered(source)):
        if isinstance(node, CallStep) and show(node.term.callee).endswith("reveal"):
            found[node.term.site.line] = ", ".join(map(show, node.term.args))
    return found


def expected(source: str) -> dict[int, str]:
    found = {}
    for number, line in enumerate(flush(source).split("\n"), start=1):
        match = _EXPECTED.search(line)
        if match:
            found[number] = match[1]
    return found


def check(source: str) -> None:
    """Every ``reveals:`` of the source is true, every ``reveal`` has one, and there is at least one."""
    wanted = expected(source)
    assert wanted, "nothing is expected"
    assert revealed(source) == wanted


def all_terms(roots: Iterable[Term]) -> set[Term]:
    seen: set[Term] = set()
    waiting = list(roots)
    while waiting:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            waiting += term.subterms()
    return seen


def reachable(root: object) -> Iterator[object]:
    """Every object that hangs below ``root``: items of containers, attributes."""
    seen: set[int] = set()
    waiting: list[Any] = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        yield thing
        if isinstance(thing, dict):
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, tuple | list | set | frozenset):
            waiting += thing
        elif hasattr(thing, "__dict__") and not isinstance(thing, type):
            waiting += vars(thing).values()
