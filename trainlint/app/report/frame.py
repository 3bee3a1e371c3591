"""Code frames: a few source lines with numbers, and a place underlined.

11 |     if rank == 0:
12 |         dist.barrier()
   |         ^^^^^^^^^^^^^^ sentence
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trainlint.app.report.printable import ELLIPSIS, escape, glyphs, skip_for, strip_blank_ends, width, wrap
from trainlint.app.report.style import Style
from trainlint.finding import Span

Paint = Callable[[str], str]

# A place of more lines than this shows its first and last few, with dots between.
_WHOLE = 6
_HEAD, _TAIL = 3, 2


@dataclass(frozen=True)
class Mark:
    """How a place is marked: ``sign`` is repeated under it, ``sentence`` stands behind it, ``paint`` colours both."""

    sign: str
    paint: Paint
    sentence: str = ""


@dataclass(frozen=True)
class Frame:
    """The lines to show for one place, before they are drawn.

    ``first`` to ``last`` are 1-based line numbers; ``span`` is clamped to the lines that exist.
    """

    lines: Sequence[str]
    span: Span
    first: int
    last: int


def plan_frame(lines: Sequence[str], span: Span, context: int) -> Frame | None:
    """Choose the lines around ``span`` (``context`` of them on each side); None when its lines do not exist."""
    if not 1 <= span.line <= len(lines):
        return None
    span = _clamp(span, lines)
    first = max(1, span.line - context)
    last = min(len(lines), span.end_line + context)
    first, last = strip_blank_ends(lines, first, last, span.line, span.end_line)
    return Frame(lines, span, first, last)


def _clamp(span: Span, lines: Sequence[str]) -> Span:
    """``span`` with its ends inside ``lines``; a span that ends before the first column ends at the line before."""
    line, column, end_line, end_column = span
    if end_line > line and end_column <= 1:
        end_line, end_column = end_line - 1, len(lines[min(end_line - 1, len(lines)) - 1]) + 1
    if end_line > len(lines):
        end_line, end_column = len(lines), len(lines[-1]) + 1
    column = max(1, min(column, len(lines[line - 1]) + 1))
    end_line = max(end_line, line)
    end_column = max(1, min(end_column, len(lines[end_line - 1]) + 1))
    if end_line == line:
        end_column = max(end_column, column)
    return Span(line, column, end_line, end_column)


def draw_frame(frame: Frame, mark: Mark, gutter: int, style: Style) -> list[str]:
    """The frame as lines of text. ``gutter`` is the width of the line numbers, common to all frames of a finding."""
    canvas = _Canvas(frame, mark, gutter, style)
    return canvas.one_line() if frame.span.line == frame.span.end_line else canvas.many_lines()


def elided(span: Span, number: int) -> bool:
    """Whether a line is left out of a frame, because the place in it has very many."""
    if span.end_line - span.line < _WHOLE:
        return False
    return span.line + _HEAD <= number <= span.end_line - _TAIL


class _Canvas:
    """Draws one frame; all its lines leave out the same number of leading characters (``skip``)."""

    def __init__(self, frame: Frame, mark: Mark, gutter: int, style: Style) -> None:
        self.frame, self.mark, self.gutter, self.style = frame, mark, gutter, style
        self.multiline = frame.span.end_line > frame.span.line
        # gutter, " | ", and for places of several lines the two columns of the bar.
        self.room = max(style.columns - gutter - 3 - (2 if self.multiline else 0), 20)
        span = frame.span
        start = frame.lines[span.line - 1]
        end = len(start) if self.multiline else span.end_column - 1
        self.skip = skip_for(start, span.column - 1, max(end, span.column), self.room - 2 * len(ELLIPSIS))

    def one_line(self) -> list[str]:
        """A place within one line: signs below it, the sentence behind them or on lines of its own."""
        span, drawn = self.frame.span, [self._bar("")]
        for number in range(self.frame.first, self.frame.last + 1):
            drawn.append(self._source(number, ""))
            if number == span.line:
                start = self._column(number, span.column)
                end = max(self._column(number, span.end_column), start + 1)
                drawn += self._under(" " * start, self.mark.sign * (end - start))
        return self._closed(drawn, span.line)

    def many_lines(self) -> list[str]:
        """A place of several lines: a bar in the margin from the first line's column to the last line's end."""
        span, drawn = self.frame.span, [self._bar("")]
        opening = self.frame.lines[span.line - 1][: span.column - 1]
        from_margin = not opening.strip()
        for number in range(self.frame.first, self.frame.last + 1):
            if elided(span, number):
                if not elided(span, number - 1):
                    dots = self.style.gutter(ELLIPSIS.ljust(self.gutter + 2))
                    drawn.append(f"{dots} {self.mark.paint('|')}")
                continue
            inside = span.line < number <= span.end_line
            margin = "| " if inside else "/ " if from_margin and number == span.line else "  "
            drawn.append(self._source(number, margin))
            if number == span.line and not from_margin:
                reach = self._column(number, span.column)
                drawn.append(self._bar(self.mark.paint(" _" + "_" * reach + self.mark.sign)))
            if number == span.end_line:
                reach = max(self._column(number, span.end_column) - 1, 0)
                drawn += self._under("", "|_" + "_" * reach + self.mark.sign)
        return self._closed(drawn, span.end_line)

    def _source(self, number: int, margin: str) -> str:
        before, rest = self._clipped(number)
        shown, _, whole = glyphs(rest, self.room - len(before))
        if not whole:
            shown, _, _ = glyphs(rest, self.room - len(before) - len(ELLIPSIS))
        text = before + "".join(shown) + ("" if whole else ELLIPSIS)
        label = self.style.gutter(f"{number:>{self.gutter}} |")
        body = self.mark.paint(margin.rstrip()) + margin[len(margin.rstrip()) :] + text
        return f"{label} {body}".rstrip()

    def _column(self, number: int, column: int) -> int:
        """The 0-based printed column at which the 1-based character ``column`` of a line begins (its margin not counted)."""
        before, rest = self._clipped(number)
        room = self.room - len(before)
        _, starts, whole = glyphs(rest, room)
        if not whole:
            _, starts, _ = glyphs(rest, room - len(ELLIPSIS))
        wanted = max(column - 1 - self.skip, 0)
        return len(before) + starts[min(wanted, len(starts) - 1)]

    def _clipped(self, number: int) -> tuple[str, str]:
        """What stands for the leading characters left out of a line, and the rest of it."""
        line = self.frame.lines[number - 1]
        return ELLIPSIS if self.skip and line.strip() else "", line[self.skip :]

    def _under(self, indent: str, signs: str) -> list[str]:
        sentence = escape(self.mark.sentence)
        taken = width(indent + signs) + 1
        if not sentence:
            return [self._bar(indent + self.mark.paint(signs))]
        if taken + width(sentence) <= self.room:
            return [self._bar(indent + self.mark.paint(f"{signs} {sentence}"))]
        below = [self._bar(self.mark.paint(part)) for part in wrap(sentence, self.room)]
        return [self._bar(indent + self.mark.paint(signs)), *below]

    def _bar(self, text: str) -> str:
        bar = self.style.gutter(" " * (self.gutter + 1) + "|")
        return f"{bar} {text}" if text else bar

    def _closed(self, drawn: list[str], marked: int) -> list[str]:
        """End with a bar unless the marks or the sentence are the last thing drawn."""
        return drawn if self.frame.last == marked else [*drawn, self._bar("")]
