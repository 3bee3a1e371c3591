"""Which autocasts and loss scalers go by names that say the device, and what these become."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.api.renames import by_keyword, rename, written_out
from trainlint.facts.api.targets import targeted
from trainlint.facts.api.uses import CALL, DECORATOR, IMPORT, Use, Uses
from trainlint.facts.framework import framework
from trainlint.facts.program import Program
from trainlint.finding import Applicability
from trainlint.sites.changes import Rename, Renamed

#: How the device is said (see the table ``old_amp``).
_FIRST, _NAMED, _KEYWORD = "first", "named", "keyword"


class OldAmp(NamedTuple):
    """One use, since when it is deprecated, what to use instead (with the device), and the repair."""

    use: Use
    since: str
    instead: str
    change: Rename | None


def old_amp(program: Program) -> Iterator[OldAmp]:
    """Each use of such a name in a file that needs no version in which it was the only one."""
    table = program.knowledge.old_amp
    found = [
        use
        for use in program.ask(Uses).of(table)
        if not targeted(program, use.module, framework(program)).older_than(table[use.name][0])
    ]
    places: dict[str, dict[int, Renamed]] = {}
    for index, use in enumerate(found):
        place = _place(program, use)
        if place is not None:
            places.setdefault(use.module, {})[index] = place
    for index, use in enumerate(found):
        since, new, device, how = table[use.name]
        of_file = places.get(use.module, {})
        place = of_file.get(index)
        change = None
        if place is not None:
            message = f"Use `{new}`"
            change = rename(program, place, use.module, of_file.values(), message, Applicability.SAFE)
        said = f'`{new}(device_type="{device}")`' if how == _KEYWORD else f'`{new}("{device}", ...)`'
        yield OldAmp(use, since, said, change)


def _place(program: Program, use: Use) -> Renamed | None:
    """What a use becomes; None where that cannot be said here."""
    _, new, device, how = program.knowledge.old_amp[use.name]
    if use.kind == DECORATOR:
        code = f'@(device_type="{device}")'
        return Renamed(use.spot, use.written, new, code) if how == _KEYWORD else None
    if use.kind == IMPORT and use.imported is not None:
        return Renamed(use.spot, use.written, new, "", binds=use.imported.name)
    if use.kind != CALL or use.site is None or not written_out(use):
        return None
    given = use.site.call.term.args
    if how == _KEYWORD:
        pairs = use.site.call.term.kwargs
        if not given and not pairs:
            return Renamed(use.spot, use.written, new, f'@(device_type="{device}")')
        return Renamed(use.spot, use.written, new, f'@({{0}}, device_type="{device}")', ((("arguments", 0),),))
    if how == _FIRST:
        return Renamed(use.spot, use.written, new, f'@("{device}"{{,0}})', ((("arguments", 0),),))
    filled = by_keyword(program.knowledge.signatures.get(use.name, []), len(given))
    if filled is None or _sets_precision(program):
        return None  # without a precision the old one took its own, the new one takes what was set
    return Renamed(use.spot, use.written, new, f'@("{device}"{filled[0]})', filled[1])


def _sets_precision(program: Program) -> bool:
    """Whether somebody changes the precision that an autocast takes by itself."""
    from trainlint.facts.call_graph import CallGraph

    index = program.ask(CallGraph)
    return any(index.sites.get(name.rpartition(".")[2]) for name in program.knowledge.autocast_setters)
