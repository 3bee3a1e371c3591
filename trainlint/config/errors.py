"""What is said about a configuration that cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: A key or a value may hold the end of a line; what is said of it is one line.
_CONTROLS = {number: f"\\x{number:02x}" for number in range(32)}


class Problem(NamedTuple):
    """One mistake: where it was written (a file, a part of the command line), its dotted key ("" if none) and what is wrong."""

    where: str
    key: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in self if part).translate(_CONTROLS)


class ConfigError(Exception):
    """The configuration has mistakes, all of which are in ``problems``; the text has one line for each."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[type[ConfigError], tuple[tuple[Problem, ...]]]:
        return (ConfigError, (self.problems,))  # it may cross a process border


def quoted(words: Sequence[str]) -> str:
    """Return the words in double quotes, separated by commas."""
    return ", ".join(f'"{word}"' for word in words)


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Return ``; did you mean "…"?`` with the known word nearest to ``word``, or "" when none is near."""
    import difflib

    spellings = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(word.lower(), spellings, n=1)
    return f'; did you mean "{spellings[close[0]]}"?' if close else ""
