"""How the file around a site is laid out: indentation, line ends, comments, quotes.

Texts that a repair brings along get the quotes that the file uses.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from trainlint.config.project_files import line_length
from trainlint.finding import Edit, Span

if TYPE_CHECKING:
    from trainlint.source.text import Source

_NOTHING_MORE = re.compile(r"[ \t\f]*(?:;[ \t\f]*)?(?P<comment>#.*)?", re.DOTALL)
_OPENS_BLOCK = re.compile(r"[^#\"']*:[ \t]*(?:#.*)?")
_STEP = "    "
#: Shorter ones say nothing: `the`, `of`, `to`.
_WORD = re.compile(r"[^\W\d_]{4,}")


def line(source: Source, number: int) -> str:
    """Line ``number`` (1-based) without its end."""
    return source.lines[number - 1]


def indent(source: Source, number: int) -> str:
    """The blanks before the first character of line ``number``."""
    text = line(source, number)
    return text[: len(text) - len(text.lstrip(" \t\f"))]


def unit(source: Source) -> str:
    """One step of indentation as the file has it: that of its first block, four blanks when it has none."""
    previous = ""
    for text in source.lines:
        stripped = text.lstrip(" \t\f")
        if not stripped or stripped.startswith("#"):
            continue
        blanks = text[: len(text) - len(stripped)]
        before = previous[: len(previous) - len(previous.lstrip(" \t\f"))]
        if _OPENS_BLOCK.fullmatch(previous) and blanks.startswith(before) and len(blanks) > len(before):
            return blanks[len(before) :]
        previous = text
    return _STEP


def indented(source: Source, code: str, base: str) -> list[str]:
    """The lines of ``code`` (written with steps of four blanks) at indentation ``base``, in the file's own steps."""
    step = unit(source)
    lines = code.splitlines()
    steps = [len(text) - len(text.lstrip(" ")) for text in lines]
    if any(blanks % len(_STEP) for blanks in steps):
        return [base + text if text else "" for text in lines]
    return [
        base + step * (blanks // len(_STEP)) + text.lstrip(" ") if text.strip() else ""
        for text, blanks in zip(lines, steps, strict=True)
    ]


def insert_below(source: Source, number: int, lines: list[str]) -> Edit:
    """Insert ``lines`` below line ``number``. Works on a last line without an end, too, and gives the new one none."""
    end = len(line(source, number)) + 1
    return Edit(Span(number, end, number, end), "".join(source.newline + text for text in lines))


def insert_above(source: Source, number: int, lines: list[str]) -> Edit:
    """Insert ``lines`` above line ``number``."""
    return Edit(Span(number, 1, number, 1), "".join(text + source.newline for text in lines))


def delete_lines(source: Source, first: int, last: int) -> Edit:
    """Delete whole lines with the line end before them, so that the file's last end stays as it was.

    Of the empty lines above and below, one goes with them: two in a row were none before.
    """
    if first > 1 and last < len(source.lines) and not line(source, first - 1).strip() and not line(source, last + 1).strip():
        first -= 1
    end = len(line(source, last)) + 1
    if first == 1:
        return Edit(Span(1, 1, last + 1, 1) if last < len(source.lines) else Span(1, 1, last, end), "")
    return Edit(Span(first - 1, len(line(source, first - 1)) + 1, last, end), "")


def rest(source: Source, span: Span) -> str | None:
    """The comment that follows ``span`` on its last line ("" for none); None when more code follows there."""
    nothing_more = _NOTHING_MORE.fullmatch(line(source, span.end_line), span.end_column - 1)
    return None if nothing_more is None else nothing_more["comment"] or ""


def starts_line(source: Source, span: Span) -> bool:
    """Whether only blanks stand before ``span`` on its first line."""
    return not line(source, span.line)[: span.column - 1].strip(" \t\f")


def first_comment(source: Source, number: int) -> int:
    """The first of the comment lines directly above line ``number`` with its indentation; ``number`` when there is none."""
    blanks = indent(source, number)
    while number > 1 and indent(source, number - 1) == blanks and line(source, number - 1)[len(blanks) :].startswith("#"):
        number -= 1
    return number


def own_comment(source: Source, span: Span) -> int:
    """The first of the comment lines above a statement that speak of it; its own line when there is none.

    Not those that head the lines below as well: a word of theirs is found there, and none in the statement.
    """
    first = first_comment(source, span.line)
    words = _words(source.lines[first - 1 : span.line - 1])
    if words.isdisjoint(_words(source.lines[span.line - 1 : span.end_line])) and words & _words(_paragraph(source, span)):
        return span.line
    return first


def _paragraph(source: Source, span: Span) -> list[str]:
    """The lines that follow a statement at its indentation or deeper, up to an empty one or a comment."""
    blanks = indent(source, span.line)
    found: list[str] = []
    for text in source.lines[span.end_line :]:
        if not text.strip() or not text.startswith(blanks) or text.lstrip(" \t\f").startswith("#"):
            break
        found.append(text)
    return found


def _words(lines: Iterable[str]) -> set[str]:
    return {word.lower() for text in lines for word in _WORD.findall(text)}


def last_comment(source: Source, number: int, blanks: str) -> int:
    """The last of the comment lines below line ``number`` that are indented deeper than ``blanks``: they close its block."""
    last, probe = number, number + 1
    while probe <= len(source.lines):
        text = line(source, probe)
        if text.strip():
            if not text.lstrip(" \t\f").startswith("#") or len(indent(source, probe)) <= len(blanks):
                break
            last = probe
        probe += 1
    return last


def last_deeper(source: Source, number: int, blanks: str) -> int:
    """The last line, from line ``number`` on, of those that are indented deeper than ``blanks`` and follow on each other."""
    last, probe = number, number + 1
    while probe <= len(source.lines):
        if line(source, probe).strip():
            if len(indent(source, probe)) <= len(blanks):
                break
            last = probe
        probe += 1
    return last


_DOUBLE = re.compile(r"(?<![\w'\"\\])\"([^'\"\\\n{}]*)\"(?!\")")
_SINGLE = re.compile(r"(?<![\w'\"\\])'[^'\"\\\n]*'(?!')")
#: A file prefers single quotes when it has this many times more of them.
_CLEARLY = 2


def quoted_alike(source: Source, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, their double-quoted texts in single quotes where the file clearly prefers those.

    What stands in the file just so is the user's own, moved or repeated: it stays.
    """
    if not any('"' in edit.content for edit in edits) or not _prefers_single(source.code):
        return edits
    return tuple(
        Edit(edit.span, _DOUBLE.sub(lambda found: _single(found, source.code), edit.content), edit.cell) for edit in edits
    )


def _prefers_single(code: str) -> bool:
    return sum(1 for _ in _SINGLE.finditer(code)) > _CLEARLY * sum(1 for _ in _DOUBLE.finditer(code))


def _single(found: re.Match[str], code: str) -> str:
    return found[0] if found[0] in code else f"'{found[1]}'"


#: Lines may be as long as this everywhere; in a project that says nothing, as long as so many lines of the file are.
_SHORT, _USUAL = 88, 3
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_WORDS = frozenset(("and", "or", "in", "is", "if", "else"))
_OPERATORS = frozenset(("+", "-", "*", "/", "//", "%", "@", "&", "|", "^", "<", ">", "<=", ">=", "==", "!="))
_ASSIGNED = re.compile(r"(?:return|[^=()\[\]{}]+[^=!<>()\[\]{}]=)\s+(?!=)")


def wrapped(source: Source, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits; a line that they make longer than lines of the project are is split as black would split it."""
    if source.is_notebook:
        return edits
    whole = [each for each in edits if each.span.line != each.span.end_line or "\n" in each.content]
    taken = {number for each in whole for number in range(each.span.line, each.span.end_line + 1)}
    limit: int | None = None
    made = list(edits)
    for number in sorted({each.span.line for each in edits} - taken):
        own = [each for each in edits if each.span.line == number]
        before = after = line(source, number)
        for each in reversed(own):
            after = after[: each.span.column - 1] + each.content + after[each.span.end_column - 1 :]
        limit = _limit(source) if limit is None else limit
        if len(before) <= limit < len(after):
            pieces = _split(after, indent(source, number), unit(source), limit) or _one_each(source, number, after, limit)
            if pieces:
                place = made.index(own[0])
                made = [each for each in made if each not in own]
                made.insert(place, Edit(Span(number, 1, number, len(before) + 1), source.newline.join(pieces)))
    return tuple(made)


def _limit(source: Source) -> int:
    told = line_length(str(source.path))
    return told if told is not None else max(_SHORT, sorted(map(len, source.lines))[-_USUAL:][0])


def _split(text: str, base: str, step: str, limit: int) -> list[str] | None:
    """The lines of a statement, or of a part of one, of which what stands in its last brackets is moved to lines of its own."""
    bare = text.strip()
    pairs, operators = _brackets(bare)
    start = _ASSIGNED.match(bare)
    if operators > 1:
        if start is None:
            return None
        items = _items(bare[start.end() :])
        body = [f"{base}{step}{item}," for item in items] if len(items) > 1 else [base + step + bare[start.end() :]]
        pieces = [f"{base}{bare[: start.end()]}(", *body, f"{base})"]
        return pieces if max(map(len, pieces)) <= limit else None
    for first, last in reversed(pairs):
        head, tail = bare[: first + 1], bare[last:]
        inner = _inside(bare[first + 1 : last].strip(), base + step, step, limit)
        if inner is not None and max(len(base + head), len(base + tail)) <= limit:
            return [base + head, *inner, base + tail]
    return None


def _inside(body: str, base: str, step: str, limit: int) -> list[str] | None:
    """The lines of what stands in brackets: one, else one for each item."""
    if len(base + body) <= limit and not body.endswith(","):
        return [base + body]
    items = _items(body)
    if len(items) < 2:  # noqa: PLR2004 - a comma behind a single one may make a tuple of it
        parts = _clauses(body)
        if len(parts) > 1:
            return [base + part for part in parts] if max(map(len, parts)) + len(base) <= limit else None
        return _split(body, base, step, limit)
    return [f"{base}{item}," for item in items] if max(len(base + item) for item in items) < limit else None


def _one_each(source: Source, number: int, text: str, limit: int) -> list[str] | None:
    """The arguments that stand on one line between their brackets, each on its own."""
    if not 1 < number < len(source.lines):
        return None
    above, below = line(source, number - 1).rstrip(), line(source, number + 1).strip()
    items = _items(text.strip())
    pieces = [f"{indent(source, number)}{item}," for item in items]
    fits = above[-1:] in _OPENING and below[:1] in _CLOSING and len(items) > 1 and max(map(len, pieces)) <= limit
    return pieces if above and below and fits else None


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a line, but not those inside of formatted strings; nothing when it is none by itself, or has a comment."""
    try:
        found = list(tokenize.generate_tokens(io.StringIO(f"{text}\n").readline))
    except (tokenize.TokenError, SyntaxError):
        return
    if any(each.type == tokenize.COMMENT for each in found) or text.endswith("\\"):
        return
    depth = 0
    for each in found:
        depth += tokenize.tok_name[each.type].endswith("STRING_START") - tokenize.tok_name[each.type].endswith("STRING_END")
        if not depth:
            yield each


def _brackets(text: str) -> tuple[list[tuple[int, int]], int]:
    """The outermost pairs of brackets with something between them, and how many operators stand outside of all."""
    pairs: list[tuple[int, int]] = []
    opened: list[int] = []
    operators = 0
    for each in _tokens(text):
        at = each.start[1]
        if each.string in _OPENING:
            opened.append(at)
        elif each.string in _CLOSING and opened:
            first = opened.pop()
            if not opened and text[first + 1 : at].strip():
                pairs.append((first, at))
        elif not opened and (each.string in _OPERATORS or each.string in _WORDS):
            operators += 1
        elif not opened and each.string == "," and each.end[1] < len(text) and _ASSIGNED.match(text):
            operators += 2
    return pairs, operators


def _clauses(text: str) -> list[str]:
    """What a comprehension is made of: its item, and each ``for`` and ``if``."""
    starts = [0]
    depth = 0
    for each in _tokens(text):
        depth += (each.string in _OPENING) - (each.string in _CLOSING)
        if not depth and (each.string == "for" or (each.string == "if" and len(starts) > 1)):
            starts.append(each.start[1])
    return [text[one:other].strip() for one, other in pairwise((*starts, len(text)))]


def _items(text: str) -> list[str]:
    """What stands between the commas of a text that are in no brackets."""
    commas = [-1]
    depth = 0
    for each in _tokens(text):
        depth += (each.string in _OPENING) - (each.string in _CLOSING)
        if each.string == "," and not depth:
            commas.append(each.start[1])
    parts = [text[one + 1 : other].strip() for one, other in pairwise((*commas, len(text)))]
    return [part for part in parts if part]
