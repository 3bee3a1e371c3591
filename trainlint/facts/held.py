"""What may be under a key of a dict or list, or be an item of it: loaders and samplers that a program keeps in containers.

``loaders = {name: DataLoader(…) for …}``, ``loaders[name] = DataLoader(…)``, ``loaders.append(…)``; then ``loaders[name]`` is
asked for, or what a loop over ``loaders``, ``loaders.items()``, ``zip(names, loaders)`` draws.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.contained import contained
from trainlint.facts.contents import Contents
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library, Other, Value
from trainlint.ir.nodes import Attr, Call, Const, Dict, Element, List, Subscript, Term


def held(program: Program, item: Term, frame: Frame) -> Iterator[Value]:
    """The values that an item of a container may be; nothing for a term that is no item, or of a container out of sight."""
    container = _container(program, item, frame)
    if container is None:
        return
    for value in program.values(container, frame):
        yield from contained(program, value)
        if isinstance(value, Other) and isinstance(value.term, (Dict, List)):
            changes = program.ask(Contents).changes(value.frame.function)
            for change in changes.of.get(value.term, ()) if changes is not None else ():
                if change.value is not None:
                    yield from program.values(change.value, value.frame)


def _container(program: Program, item: Term, frame: Frame) -> Term | None:
    """The container of which a term is an item: one under a key, or one that a loop draws."""
    if not isinstance(item, (Subscript, Element)):
        return None
    base: Term = item.stem
    if isinstance(item, Subscript) and not isinstance(base, Element):
        return base
    part = item.key.value if isinstance(item, Subscript) and isinstance(item.key, Const) else None
    drawn = base.of if isinstance(item, Subscript) and isinstance(base, Element) else base
    if not isinstance(drawn, Call):
        return drawn if isinstance(item, Element) else None
    if isinstance(drawn.callee, Attr) and drawn.callee.name in program.knowledge.views:
        wanted = "value" if isinstance(item, Element) else "pair"
        return drawn.callee.base if program.knowledge.views[drawn.callee.name] == wanted and part in (None, 1) else None
    for callee in program.values(drawn.callee, frame):
        shape = program.knowledge.iterates.get(callee.name) if isinstance(callee, Library) else None
        if shape == "zipped" and type(part) is int and 0 <= part < len(drawn.args):
            return drawn.args[part]
        if drawn.args and ((shape == "indexed" and part == 1) or (shape == "same" and isinstance(item, Element))):
            return drawn.args[0]
    return None
