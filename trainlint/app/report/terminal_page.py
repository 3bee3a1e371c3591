"""Markdown laid out for a terminal. The only module that imports rich's Markdown; it is imported when a page is shown there.

No backgrounds: what a theme made for dark terminals paints behind code is unreadable on light ones. Code keeps the
terminal's own sixteen colours, prose its own foreground.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any, ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
from rich.segment import Segment, Segments
from rich.style import Style as Look
from rich.syntax import ANSI_DARK, ANSISyntaxTheme, Syntax
from rich.text import Text
from rich.theme import Theme

#: Text is hard to read in lines longer than this; code takes what it needs.
_WIDEST = 100
_INDENT = 4

_THEME = Theme(
    {
        "markdown.code": "cyan",
        "markdown.h1": "bold",
        "markdown.h2": "bold bright_blue",
        "markdown.h3": "bold",
        "markdown.link": "blue",
        "markdown.link_url": "blue",
        "markdown.item.bullet": "bold",
    }
)
# Underlined module names, as the ready-made theme has them, look like links.
_CODE = ANSISyntaxTheme({kind: look + Look(underline=False) for kind, look in ANSI_DARK.items()})


class _Heading(Heading):
    """A heading at the left margin, like that of a manual page."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = self.text
        text.justify = "left"
        yield text


class _Code(CodeBlock):
    """Code moved in, without a frame or a background; a line that is too long goes on below, moved in further."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = Syntax("", self.lexer_name, theme=_CODE).highlight(str(self.text).rstrip())
        text.rstrip()
        for line in text.split("\n", allow_blank=True):
            own = len(line.plain) - len(line.plain.lstrip(" "))
            yield from self._wrapped(line, own + _INDENT, console.width - _INDENT)

    def _wrapped(self, line: Text, hanging: int, room: int) -> Iterator[Text]:
        while line.cell_len > room > hanging:
            head, rest = line.divide([_break(line.plain, room, hanging)])
            yield _moved_in(head)
            line = Text(" " * hanging) + rest
        yield _moved_in(line)


def _moved_in(line: Text) -> Text:
    whole = Text(" " * _INDENT, no_wrap=True, overflow="ignore") + line
    whole.rstrip()
    return whole


def _break(text: str, room: int, least: int) -> int:
    """Where to break a line of code: behind the last blank that fits, else where the room ends."""
    blank = text.rfind(" ", least + 1, room)
    return blank + 1 if blank > 0 else room


class _Page(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
    }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from super().__rich_console__(console, options.update(width=min(options.max_width, _WIDEST)))


def lay_out(markdown: str, *, columns: int, colour: bool) -> str:
    """The page as a terminal of that width shows it; without ``colour`` only bold and underlined."""
    form: dict[str, Any] = {"color_system": "standard", "no_color": not colour, "theme": _THEME, "highlight": False}
    console = Console(file=StringIO(), force_terminal=True, width=columns, **form)
    with console.capture() as captured:
        for line in console.render_lines(_Page(markdown, hyperlinks=False), pad=False):
            console.print(Segments([*_without_fill(line), Segment.line()]), end="")
    return captured.get().strip("\n") + "\n"


def _without_fill(line: list[Segment]) -> list[Segment]:
    """A line without the blanks that fill it: they would go along when someone copies it."""
    while line and not line[-1].text.strip():
        line = line[:-1]
    return [*line[:-1], Segment(line[-1].text.rstrip(), line[-1].style)] if line else []
