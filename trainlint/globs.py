"""Globs as git has them in a ``.gitignore``, one for each line. None of them takes exponential time, whatever it looks like."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

_GLOB_CHARACTERS = re.compile(r"[*?\[\\]")


class Pattern(NamedTuple):
    """One line of a ``.gitignore``.

    ``steps`` match the parts of a path, one each; None stands for ``**``: any number of parts. A pattern without a
    slash has one step and is for names (``anywhere``).
    """

    negated: bool
    folders_only: bool
    anywhere: bool
    steps: tuple[Callable[[str], object] | None, ...]

    def matches(self, parts: Sequence[str], *, is_folder: bool) -> bool:
        """Whether this is about the entry whose path from the pattern's folder has these parts (not: what is in it)."""
        if self.folders_only and not is_folder:
            return False
        if self.anywhere:
            step = self.steps[0]
            return step is None or bool(step(parts[-1]))
        return self._matches_path(parts)

    def _matches_path(self, parts: Sequence[str]) -> bool:
        """Follow all ways through the steps at once, so that many ``**`` cost no more than few."""
        positions = self._skipping({0})
        for part in parts:
            following = set()
            for position in positions:
                if position < len(self.steps):
                    step = self.steps[position]
                    if step is None:
                        following.add(position)
                        if position == len(self.steps) - 1:  # at the end it must match something: "a/**" is not "a"
                            following.add(position + 1)
                    elif step(part):
                        following.add(position + 1)
            positions = self._skipping(following)
        return len(self.steps) in positions

    def _skipping(self, positions: set[int]) -> set[int]:
        """Add the positions behind each ``**`` that is not the last step: it may match nothing."""
        reached = set(positions)
        for position in positions:
            after = position
            while after < len(self.steps) - 1 and self.steps[after] is None:
                after += 1
                reached.add(after)
        return reached


def read_pattern(line: str) -> Pattern | None:
    """Read a line of a ``.gitignore`` (without its end); None for a blank, a comment and what can never match."""
    text = line.rstrip(" ")
    if text != line and text.endswith("\\"):
        text += " "  # a backslash keeps one
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    anywhere = "/" not in text
    parts = text.removeprefix("/").split("/")
    if not all(parts):
        return None
    try:
        steps = tuple(None if not part.strip("*") and len(part) > 1 else _name_matcher(part) for part in parts)
    except ValueError:
        return None
    return Pattern(negated, folders_only, anywhere, steps)


def _name_matcher(glob: str) -> Callable[[str], object]:
    """Return a test for one part of a path; raises ValueError for a glob that git never lets match."""
    if not _GLOB_CHARACTERS.search(glob):
        return glob.__eq__
    return re.compile(fnmatch.translate(_as_fnmatch(glob))).match


def _as_fnmatch(glob: str) -> str:
    """Spell git's glob as Python's, which has no backslashes, negates a class with ``!`` only and takes ``[`` literally."""
    parts: list[str] = []
    position = 0
    while position < len(glob):
        character = glob[position]
        if character == "\\":
            position += 1
            if position == len(glob):
                raise ValueError(glob)
            parts.append(f"[{glob[position]}]" if glob[position] in "*?[" else glob[position])
        elif character == "[":
            end = glob.find("]", position + 2 + (glob[position + 1 : position + 2] in {"!", "^"}))
            if end < 0:
                raise ValueError(glob)
            inside = glob[position + 1 : end]
            parts.append(f"[!{inside[1:]}]" if inside.startswith("^") else f"[{inside}]")
            position = end
        else:
            parts.append(character)
        position += 1
    return "".join(parts)
