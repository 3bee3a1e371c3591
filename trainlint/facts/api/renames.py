"""How a use of an old name becomes one of the new name, together with the import that gives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trainlint.facts.api.uses import CALL, DECORATOR, Use
from trainlint.facts.components import module_of
from trainlint.facts.naming import reference
from trainlint.facts.program import Program
from trainlint.finding import Applicability
from trainlint.ir.nodes import Star
from trainlint.sites.changes import Rename, Renamed

Path = tuple[tuple[str, int | str], ...]


def rename(
    program: Program, place: Renamed, module: str, all_: Iterable[Renamed], message: str, applicability: Applicability
) -> Rename:
    """The change of one place and, where an import gives the name there, of all others that go by it."""
    sketch = program.modules[module]
    shared = _taken_from(program, module)
    imports = tuple((taken.name, taken.dotted, taken.statement) for taken in sketch.taken if taken.name not in shared)
    library = reference(place.new.partition(".")[0], sketch)
    others = tuple(other for other in all_ if other != place)
    return Rename(applicability, message, place=place, others=others, imports=imports, library=library)


def _taken_from(program: Program, path: str) -> frozenset[str]:
    """The names that other files import from a file; all of them where one takes everything."""
    names = program.ask(_all_taken).get(path, frozenset())
    return frozenset(taken.name for taken in program.modules[path].taken) if "*" in names else names


def _all_taken(program: Program) -> Mapping[str, frozenset[str]]:
    """By file the names that others import from it; ``*`` is everything."""
    found: dict[str, set[str]] = {}
    for path, module in program.modules.items():
        for dotted in (
            *(taken.dotted for taken in module.taken),
            *(f"{star}.*" if star.strip(".") else f"{star}*" for star in module.stars),
        ):
            head, _, last = dotted.rpartition(".")
            target = (
                module_of(program.finder, path, head or dotted[: len(dotted) - len(last)])
                if program.finder.may_be_here(dotted)
                else None
            )
            if target is not None:
                found.setdefault(target, set()).add(last)
    return {path: frozenset(names) for path, names in found.items()}


def written_out(use: Use) -> bool:
    """Whether all positional arguments of a call are there."""
    return use.site is not None and not any(isinstance(each, Star) for each in use.site.call.term.args)


def by_keyword(signature: list[str], count: int) -> tuple[str, tuple[Path, ...]] | None:
    """The first ``count`` positional arguments by keyword, and what follows: the text of a :class:`Rewrite` and its paths."""
    if count > len(signature):
        return None
    named = "".join(f", {name}={{{index}}}" for index, name in enumerate(signature[:count]))
    paths = (*(((("argument", index),)) for index in range(count)), (("arguments", count),))
    return f"{named}{{,{count}}}", paths


__all__ = ["CALL", "DECORATOR", "by_keyword", "rename", "written_out"]
