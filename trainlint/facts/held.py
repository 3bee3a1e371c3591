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
from trainlint.model.terms import Term


def held(program: Program, item: Term, frame: Frame) -> Iterator[Value]:
    """The values that an item of a container may be; nothing for a term that is no item, or of a container out of sight."""
    container = _container(program, item, frame)
    if container is None:
        return
    for value in program.values(container, frame):
        yield from contained(program, value)
        if isinstance(value, Other) and value.term[0] in ("dict", "list"):
            changes = program.ask(Contents).changes(value.frame.function)
            for change in changes.of.get(value.term, ()) if changes is not None else ():
                if change.value is not None:
                    yield from program.values(change.value, value.frame)


def _container(program: Program, item: Term, frame: Frame) -> Term | None:
    """The container of which a term is an item: one under a key, or one that a loop draws."""
    if item[0] not in ("sub", "elem"):
        return None
    base: Term = item[1]
    if item[0] == "sub" and base[0] != "elem":
        return base
    part = item[2][2] if item[0] == "sub" and item[2][0] == "c" else None
    drawn = base if item[0] == "elem" else base[1]
    if drawn[0] != "call":
        return drawn if item[0] == "elem" else None
    if drawn[1][0] == "a" and drawn[1][2] in program.knowledge.views:
        wanted = "value" if item[0] == "elem" else "pair"
        return drawn[1][1] if program.knowledge.views[drawn[1][2]] == wanted and part in (None, 1) else None
    for callee in program.values(drawn[1], frame):
        shape = program.knowledge.iterates.get(callee.name) if isinstance(callee, Library) else None
        if shape == "zipped" and type(part) is int and 0 <= part < len(drawn[2]):
            return drawn[2][part]  # type: ignore[no-any-return]
        if drawn[2] and ((shape == "indexed" and part == 1) or (shape == "same" and item[0] == "elem")):
            return drawn[2][0]  # type: ignore[no-any-return]
    return None
