"""``trainlint dev ir FILE``: the model of a file as text, as the analyses see it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from trainlint.app.engine.lowering import lower_source
from trainlint.app.engine.workspace import Trouble, unreadable
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Module, Statement, Store, Try, With
from trainlint.ir.walk import Arm, blocks_of, placed
from trainlint.knowledge import load_knowledge
from trainlint.source.text import Source, UnreadableSource


def main(file: Path) -> int:
    """Print the model of ``file``; 2 when it cannot be read or parsed."""
    try:
        knowledge = load_knowledge()
        module = lower_source(Source.read(file), knowledge.exits, knowledge.members)
    except UnreadableSource as error:
        module = unreadable(error)
    if isinstance(module, Trouble):
        print(f"{file}:{module.line}: {module.message}", file=sys.stderr)
        return 2
    print("\n".join(lines(module)))
    return 0


def lines(module: Module) -> Iterator[str]:
    """The model of a lowered module, line by line; every line begins with the source line it stands for."""
    for name, term in sorted(module.names.items()):
        yield f"     {name} = {show(term)}"
    for cls in module.classes.values():
        yield f"{cls.spot.line:>4} class {cls.qualname}({', '.join(show(base) for base in cls.bases)})"
    for function in module.functions.values():
        yield f"{function.spot.line:>4} {function.kind} {function.qualname}({', '.join(function.parameters)})"
        yield from _steps(function)


def _steps(function: Function) -> Iterator[str]:
    begun: set[tuple[int, int]] = set()
    for node, around in placed(function.body):
        for depth, arm in enumerate(around, 1):
            if (id(arm.region), arm.number) not in begun:
                begun.add((id(arm.region), arm.number))
                yield from [f"     {'    ' * depth}{_title(arm)}"] if arm.number else ()
        line, text = _head(node)
        yield f"{line:>4} {'    ' * (len(around) + 1)}{text}"


def _title(arm: Arm) -> str:
    """What stands before a block that is not the first of its statement."""
    if arm.is_handler:
        return "except"
    return "finally" if isinstance(arm.region, Try) and arm.number == len(blocks_of(arm.region)) - 1 else "else"


def _head(node: Statement) -> tuple[int, str]:
    """The line of a statement, and what it says, without its blocks."""
    match node:
        case CallStep():
            return node.term.site.line, f"call {show(node.term)}"
        case Store() | Keep():
            return node.spot.line, f"{type(node).__name__.lower()} {show(node.target)} = {show(node.value)}"
        case Exit():
            return node.spot.line, f"{node.kind} {show(node.value)}" if node.value is not None else node.kind
        case If():
            return node.test.line, f"if {show(node.condition)}"
        case Loop():
            return node.spot.line, f"{node.kind} {show(node.subject)}"
        case With():
            return node.spot.line, f"with {', '.join(map(show, node.items))}"
    return node.spot.line, type(node).__name__.lower()
