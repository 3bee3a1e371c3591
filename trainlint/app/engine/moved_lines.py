"""Early cut-off: an edit after which a file says what it said before, on other lines.

Comments, empty lines, docstrings and what else leaves no trace in a file's model change nothing that a rule can see but lines.
So what the rules suspected then, they suspect now, where it has moved to: the two models are compared part by part, and each
line that one of them names is noted with that of the other.

That holds as long as rules compare places only with places: which comes first, whether one holds the other, whether both are in
one line. So columns must have stayed, the lines must be in the same order, and no call may take more lines or fewer than it did
(the largest of several is asked for). Nothing sorts by lines as texts (see :func:`trainlint.ir.terms.in_numeric_order`).
What a message says of a line is text by then: a place ("sync.py:5") is written anew, but where a number may be anything else that
moved, nothing is carried over, and the rules are asked.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Mapping
from itertools import pairwise, zip_longest
from pathlib import PurePath
from typing import Any

from trainlint.app.engine.workspace import Trouble
from trainlint.finding import Spot, Suspect
from trainlint.ir.nodes import Call, Const, Term
from trainlint.ir.sketch import Class, Function, Module
from trainlint.source.deep import run_deep

#: What analyses keep with a function is no part of what the file says.
_KEPT = frozenset(("flat", "kinds", "order", "unknowns", "held"))
_FIELDS = {
    kind: tuple(field.name for field in dataclasses.fields(kind) if field.name not in _KEPT) for kind in (Function, Class, Module)
}
#: The place of the top level of a file, whatever stands in line 1: no node takes no room.
_TOP = Function("").spot
#: A lambda is called by its place.
_LAMBDA = re.compile(r"<lambda (\d+):")
#: As a message names a place.
_PLACE = re.compile(r"(\(|\bat )([^\s()/\\:]+):(\d+)\b")
_NUMBER = re.compile(r"\d+")


class Otherwise(Exception):
    """The files say different things, or what was suspected cannot be carried over."""


class MovedLines:
    """Where the lines of one file are now, by where they were; only those that its model names.

    ``is_alone`` says that no other file of the group is called as it is.
    """

    def __init__(self, path: str, lines: Mapping[int, int], *, is_alone: bool) -> None:
        self._path = path
        self._name = PurePath(path).name
        self._is_alone = is_alone
        self._lines = lines
        self._moved = {str(before) for before, after in lines.items() if before != after}
        self._named = re.compile(re.escape(self._name) + r":(\d+)")

    def suspect(self, suspect: Suspect) -> Suspect:
        """A suspect that has places in the file, or none there, where it is now. Raises :class:`Otherwise`."""
        if not self._moved:
            return suspect
        is_here = self._path in (suspect.path, *(each.path for each in suspect.because))
        because = tuple(
            dataclasses.replace(
                each,
                spot=self.spot(each.spot) if each.path == self._path else each.spot,
                message=self._said(each.message, is_here=is_here),
            )
            for each in suspect.because
        )
        suspect = dataclasses.replace(suspect, message=self._said(suspect.message, is_here=is_here), because=because)
        if suspect.path != self._path:
            return suspect
        spot, statement, data = self.spot(suspect.spot), self.spot(suspect.statement), self._carried(suspect.data)
        return dataclasses.replace(suspect, spot=spot, statement=statement, data=data)

    def trouble(self, path: str, trouble: Trouble) -> Trouble:
        """What could not be judged in a file, this or another, where it is now. Raises :class:`Otherwise`."""
        if path != self._path or not self._moved:
            return trouble
        return trouble._replace(line=self.line(trouble.line), message=self._said(trouble.message, is_here=True))

    def _said(self, text: str, *, is_here: bool) -> str:
        """A sentence, with the places that it names where they are now. Raises :class:`Otherwise` if it may name other lines."""
        if not self._moved.isdisjoint((_NUMBER if is_here else self._named).findall(_PLACE.sub("", text))):
            raise Otherwise
        return _PLACE.sub(self._place, text)

    def _place(self, match: re.Match[str]) -> str:
        before, name, line = match.groups()
        if name != self._name or line not in self._moved:
            return match[0]
        if not self._is_alone:
            raise Otherwise
        return f"{before}{name}:{self.line(int(line))}"

    def spot(self, spot: Spot) -> Spot:
        """A place in the file, where it is now. Raises :class:`Otherwise`."""
        if spot == _TOP:
            return spot
        return spot._replace(line=self.line(spot.line), end_line=self.line(spot.end_line))

    def line(self, line: int) -> int:
        """A line of the file. Raises :class:`Otherwise` for one that its model does not name."""
        if line not in self._lines:
            raise Otherwise
        return self._lines[line]

    def _carried(self, value: Any) -> Any:
        """What a repair is made of, with its places where they are now."""
        kind = type(value)
        if kind is Spot:
            return self.spot(value)
        if kind in (tuple, list):
            return kind([self._carried(each) for each in value])
        if kind is dict:
            return {key: self._carried(each) for key, each in value.items()}
        if value is None or isinstance(value, (str, int, enum.Enum)):
            return value
        if dataclasses.is_dataclass(value):
            changed = {field.name: self._carried(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return dataclasses.replace(value, **changed)  # type: ignore[type-var]
        raise Otherwise


def moved_lines(before: Module, after: Module, *, is_alone: bool) -> MovedLines | None:
    """Where the lines of a file have gone that says what it said before; None when it says something else."""
    comparison = _Comparison()
    try:
        run_deep(lambda: comparison.compare(before, after))
        return MovedLines(before.path, comparison.in_order(), is_alone=is_alone)
    except Otherwise:
        return None


class _Comparison:
    """Goes through two models together. Each part of one has the same part of the other all along."""

    def __init__(self) -> None:
        self._lines: dict[int, int] = {}
        self._terms: dict[Term, Term] = {}
        self._back: dict[Term, Term] = {}

    def in_order(self) -> dict[int, int]:
        """The lines, if they are in the order that they were in. Raises :class:`Otherwise`."""
        lines = dict(sorted(self._lines.items()))
        if any(one >= other for one, other in pairwise(lines.values())):
            raise Otherwise
        return lines

    def compare(self, one: Any, other: Any) -> None:
        """Raises :class:`Otherwise` if two parts say different things."""
        kind = type(one)
        if kind is not type(other):
            raise Otherwise
        if kind is str:
            self._text(one, other)
        elif kind is Spot:
            self._spot(one, other)
        elif isinstance(one, Term):
            self._term(one, other)
        elif isinstance(one, tuple):
            self._each(one, other)
        elif isinstance(one, dict):
            self._each([*one.items()], [*other.items()])
        elif kind is frozenset:
            self._each(sorted(one), sorted(other))
        elif kind in _FIELDS:
            for name in _FIELDS[kind]:
                (self._words if name == "words" else self.compare)(getattr(one, name), getattr(other, name))
        elif one != other or repr(one) != repr(other):  # 0.0 is -0.0
            raise Otherwise

    def _each(self, one: Any, other: Any) -> None:
        if len(one) != len(other):
            raise Otherwise
        for part, counterpart in zip(one, other, strict=True):
            self.compare(part, counterpart)

    def _text(self, one: str, other: str) -> None:
        if one != other or "<lambda " in one:
            if _LAMBDA.sub("", one) != _LAMBDA.sub("", other):
                raise Otherwise
            for line, counterpart in zip(_LAMBDA.findall(one), _LAMBDA.findall(other), strict=True):
                self._line(int(line), int(counterpart))

    def _term(self, one: Term, other: Term) -> None:
        known, back = self._terms.get(one), self._back.get(other)
        if known is not None or back is not None:
            if known is not other or back is not one:
                raise Otherwise
            return
        self._terms[one], self._back[other] = other, one
        parts, counterparts = one.parts, other.parts
        if len(parts) != len(counterparts) or (isinstance(one, Const) and parts != counterparts):
            raise Otherwise
        for name, part, counterpart in zip_longest(one.fields[: len(parts)], parts, counterparts):
            (self._line if name == "line" else self.compare)(part, counterpart)
        if isinstance(one, Call) and isinstance(other, Call):
            height, counterpart = one.site.end_line - one.site.line, other.site.end_line - other.site.line
            if height != counterpart:
                raise Otherwise

    def _spot(self, one: Spot, other: Spot) -> None:
        if one == other == _TOP:
            return
        if (one.column, one.end_column) != (other.column, other.end_column):
            raise Otherwise
        self._line(one.line, other.line)
        self._line(one.end_line, other.end_line)

    def _words(self, one: dict[int, str], other: dict[int, str]) -> None:
        """What comments tell the analysis, by line."""
        self._each([*one.values()], [*other.values()])
        for line, counterpart in zip(one, other, strict=True):
            self._line(line, counterpart)

    def _line(self, one: int, other: int) -> None:
        if self._lines.setdefault(one, other) != other:
            raise Otherwise
