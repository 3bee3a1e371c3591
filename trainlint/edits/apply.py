"""Edits applied to a text, and whether the outcome is still Python, in the style of its file and for its interpreter."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from trainlint.finding import Edit, Repair, Span
from trainlint.source.parse import is_python

if TYPE_CHECKING:
    import libcst

    from trainlint.source.text import Source


def parses(code: str) -> bool:
    """Whether libcst parses the text, and it is not Python 2 that it takes for Python 3.14; may raise what its parser raises."""
    import libcst

    return not _names_errors(libcst.parse_module(code))


def _names_errors(module: libcst.Module) -> bool:
    """Whether a handler binds the error in the way of Python 2: ``except ValueError, error:``.

    Python 3.14 reads two classes there; but nothing in the file makes a class of the second name.
    """
    import libcst
    from libcst import matchers

    bare = matchers.ExceptHandler(type=matchers.Tuple(lpar=[]))
    handlers = matchers.findall(module, bare)
    if not handlers:
        return False
    known = set(vars(builtins))
    known = {*vars(builtins), *_classes(module)}
    for handler in handlers:
        last = libcst.ensure_type(libcst.ensure_type(handler, libcst.ExceptHandler).type, libcst.Tuple).elements[-1].value
        if isinstance(last, libcst.Name) and last.value not in known:
            return True
    return False


def _classes(module: libcst.Module) -> Iterator[str]:
    """The names that may be those of classes: what a file imports, its classes, and what its top level assigns."""
    import libcst
    from libcst import matchers

    for node in matchers.findall(module, matchers.ImportAlias()):
        alias = libcst.ensure_type(node, libcst.ImportAlias)
        yield alias.evaluated_alias or alias.evaluated_name.partition(".")[0]
    for node in matchers.findall(module, matchers.ClassDef()):
        yield libcst.ensure_type(node, libcst.ClassDef).name.value
    for line in module.body:
        if isinstance(line, libcst.SimpleStatementLine):
            for node in matchers.findall(line, matchers.AssignTarget(target=matchers.Name())):
                yield libcst.ensure_type(libcst.ensure_type(node, libcst.AssignTarget).target, libcst.Name).value


_LINE_END = re.compile(r"\r\n|\r|\n")


def apply_edits(code: str, edits: Iterable[Edit]) -> str:
    """``code`` with all ``edits`` made; everything outside their spans is untouched.

    Raises ``ValueError`` when two edits overlap or one lies outside the text.
    """
    starts = [0, *(match.end() for match in _LINE_END.finditer(code))]
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda one: one.span):
        start, end = _offset(starts, code, *edit.span[:2]), _offset(starts, code, *edit.span[2:])
        if not done <= start <= end:
            raise ValueError(f"edits overlap at line {edit.span.line}")
        pieces += [code[done:start], edit.content]
        done = end
    return "".join([*pieces, code[done:]])


def select_non_overlapping(repairs: Sequence[Repair]) -> tuple[list[Repair], list[Repair]]:
    """Those of one file's ``repairs`` that can be made together, and those that wait for the next pass.

    The repair that begins first in the file wins; of two that begin together, the one given first. Both lists are in
    that order. Two insertions at one point overlap (their order would be chance), as do two equal edits.
    """
    chosen: list[Repair] = []
    waiting: list[Repair] = []
    taken: list[Span] = []
    for repair in sorted(repairs, key=lambda one: min((edit.span for edit in one.edits), default=Span(0, 0, 0, 0))):
        spans = [edit.span for edit in repair.edits]
        if any(_overlap(span, other) for span in spans for other in taken):
            waiting.append(repair)
        else:
            chosen.append(repair)
            taken += spans
    return chosen, waiting


def encode_like(before: Source, text: str) -> bytes | None:
    """The bytes of ``text``, the repaired ``before.text``, in the file's encoding and with its byte order mark.

    None when the encoding cannot express it, or does not give the file's own bytes back: then untouched code would change.
    """
    try:
        return before.encode(text) if before.encode(before.text) == before.data else None
    except UnicodeEncodeError:
        return None


def _offset(starts: list[int], code: str, line: int, column: int) -> int:
    """The index into ``code`` of a 1-based line and column; just behind the last line end is line ``len(starts)``, column 1."""
    if not 1 <= line <= len(starts) or column < 1:
        raise ValueError(f"line {line} lies outside the text")
    limit = starts[line] if line < len(starts) else len(code)
    offset = starts[line - 1] + column - 1
    if offset > limit:
        raise ValueError(f"column {column} lies outside line {line}")
    return offset


def _overlap(one: Span, other: Span) -> bool:
    if one == other:
        return True
    return one[:2] < other[2:] and other[:2] < one[2:]


def verify(before: Source, after_text: str) -> bool:
    """Whether ``after_text``, the repaired ``before.code``, parses again and brings no kind of line end the file had not.

    A file without any line end may get that of ``before.newline``. Never raises.
    """
    known = set(_LINE_END.findall(before.code)) or {before.newline}
    return set(_LINE_END.findall(after_text)) <= known and is_python(after_text)
