"""``trainlint dev ir FILE``: the model of a file as text, as the analyses see it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from trainlint.engine.lowering import lower_source
from trainlint.engine.workspace import Trouble, unreadable
from trainlint.ir.printer import show
from trainlint.ir.sketch import Block, CallStep, Exit, If, Keep, Loop, Module, Store, Try, With
from trainlint.ir.walk import effects
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
        yield from _block(function.body, 1)


def _block(block: Block, depth: int) -> Iterator[str]:
    pad = "    " * depth
    for node in effects(block):
        if isinstance(node, CallStep):
            yield f"{node.term.site.line:>4} {pad}call {show(node.term)}"
        elif isinstance(node, (Store, Keep)):
            word = "store" if isinstance(node, Store) else "keep"
            yield f"{node.spot.line:>4} {pad}{word} {show(node.target)} = {show(node.value)}"
        elif isinstance(node, Exit):
            yield f"{node.spot.line:>4} {pad}{node.kind} {show(node.value) if node.value is not None else ''}".rstrip()
        elif isinstance(node, If):
            yield f"{node.test.line:>4} {pad}if {show(node.condition)}"
            yield from _block(node.body, depth + 1)
            if effects(node.orelse):
                yield f"     {pad}else"
                yield from _block(node.orelse, depth + 1)
        elif isinstance(node, Loop):
            yield f"{node.spot.line:>4} {pad}{node.kind} {show(node.subject)}"
            yield from _block(node.body, depth + 1)
        elif isinstance(node, With):
            yield f"{node.spot.line:>4} {pad}with {', '.join(map(show, node.items))}"
            yield from _block(node.body, depth + 1)
        elif isinstance(node, Try):
            yield f"{node.spot.line:>4} {pad}try"
            for title, part in (
                ("", node.body),
                *(("except", h) for h in node.handlers),
                ("else", node.orelse),
                ("finally", node.final),
            ):
                if effects(part):
                    if title:
                        yield f"     {pad}{title}"
                    yield from _block(part, depth + 1)
        else:
            yield f"{node.spot.line:>4} {pad}yield"
