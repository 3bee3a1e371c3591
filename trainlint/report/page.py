"""A rule's page in the terminal."""

from __future__ import annotations

import re

from trainlint.report.printable import escape_block
from trainlint.report.style import Style

# `# expect: TL101` tells the tests which line is reported; readers do not need it.
_EXPECT = re.compile(r"[ \t]*# expect(?:-not-yet)?: [A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)*(?=[ \t]*$|[ \t]+#)")


def without_expectations(markdown: str) -> str:
    """``markdown`` without its ``# expect: CODE`` comments; a line that held nothing else goes too."""
    kept: list[str] = []
    for line in markdown.split("\n"):
        bare = _EXPECT.sub("", line)
        if bare.strip() or bare == line:
            kept.append(bare)
    return "\n".join(kept)


def render(markdown: str, *, style: Style) -> str:
    """The page as text: laid out and coloured when ``style`` has colour (this is where rich is imported), else as it is."""
    text = escape_block(markdown).rstrip("\n") + "\n"
    if not style.colour:
        return text
    return _rich(text, style.columns)


def _rich(markdown: str, columns: int) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(file=StringIO(), force_terminal=True, width=min(columns, 100), color_system="standard")
    with console.capture() as capture:
        # The terminal's own colours: a theme with a background of its own is unreadable on half of all terminals.
        console.print(Markdown(markdown, code_theme="ansi_dark"))
    return capture.get()
