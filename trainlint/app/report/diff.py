"""Repairs as a unified diff that ``patch`` understands; notebooks cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeAlias

from trainlint.app.report.places import display_path
from trainlint.app.report.printable import begins_command, escape, escape_block, without_commands
from trainlint.app.report.style import Style

Change: TypeAlias = tuple[Path, str, str]
"""A file and its text before and after the repairs."""

_CONTEXT = 3


def render(changes: Iterable[Change], *, style: Style, for_terminal: bool = False, for_build: bool = False) -> str:
    """One unified diff for each changed file (for each changed cell of a notebook), an empty line after each.

    ``for_terminal`` escapes control characters: safe to look at, but no longer fit for ``patch``. ``for_build``: the output is
    read by a build server, so lines that would be commands to it are escaped (and those alone).
    """
    out: list[str] = []
    for path, before, after in changes:
        for label, old, new in _texts(path, before, after):
            lines = list(unified(escape(label), old, new))
            if lines:
                shown = (_line(line, style, for_terminal=for_terminal, for_build=for_build) for line in lines[2:])
                out += [*lines[:2], *shown, "\n"]
    return "".join(out)


def unified(label: str, before: str, after: str) -> Iterator[str]:
    """The lines of a unified diff, each with its line end; nothing when the texts are equal."""
    old, new = _split(before), _split(after)
    skip = _common_start(old, new)
    matcher = SequenceMatcher(None, old[skip:], new[skip:])
    groups = list(matcher.get_grouped_opcodes(_CONTEXT))
    if not groups:
        return
    yield f"--- {label}\n"
    yield f"+++ {label}\n"
    for group in groups:
        first, last = group[0], group[-1]
        old_range = _range(first[1] + skip, last[2] + skip)
        new_range = _range(first[3] + skip, last[4] + skip)
        yield f"@@ -{old_range} +{new_range} @@\n"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from _signed(" ", old[skip + i1 : skip + i2])
                continue
            yield from _signed("-", old[skip + i1 : skip + i2])
            yield from _signed("+", new[skip + j1 : skip + j2])


def _split(text: str) -> list[str]:
    """Lines with their ends, split at newlines alone, the way ``patch`` does."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def _common_start(old: list[str], new: list[str]) -> int:
    """How many equal lines at the start may be left out of the comparison (which is slow on long files)."""
    same = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        same += 1
    return max(same - _CONTEXT, 0)


def _range(start: int, stop: int) -> str:
    """A hunk's range: first line and length; the length is left out when it is one."""
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start if length == 0 else start + 1},{length}"


def _signed(sign: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith("\n"):
            yield sign + line
        else:
            yield f"{sign}{line}\n"
            yield "\\ No newline at end of file\n"


def _line(line: str, style: Style, *, for_terminal: bool, for_build: bool) -> str:
    text = line[:-1]
    if for_build and (begins_command(text) or without_commands(text) != text):
        text = escape_block(text)
    if for_terminal:
        text = escape(text.removesuffix("\r").expandtabs(8))
    if text.startswith("+"):
        return style.added(text) + "\n"
    return (style.removed(text) if text.startswith("-") else text) + "\n"


def _texts(path: Path, before: str, after: str) -> Iterator[tuple[str, str, str]]:
    label = display_path(path)
    if path.suffix != ".ipynb":
        yield label, before, after
        return
    old, new = _cells(before), _cells(after)
    if old is None or new is None or len(old) != len(new):
        yield label, before, after
        return
    for number, (left, right) in enumerate(zip(old, new, strict=True), start=1):
        if left != right:
            yield f"{label}:cell {number}", left, right


def _cells(notebook: str) -> list[str] | None:
    """The source text of every cell, or None when this is not a notebook after all."""
    import json

    try:
        sources = [cell["source"] for cell in json.loads(notebook)["cells"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return [source if isinstance(source, str) else "".join(map(str, source)) for source in sources]
