"""A rule's page in the terminal."""

from __future__ import annotations

import re

from trainlint.app.report.printable import escape_block
from trainlint.app.report.style import Style

# `# expect: TL101` tells the tests which line is reported; readers do not need it.
_EXPECT = re.compile(r"(?<![ \t])[ \t]*# expect(?:-not-yet)?: [A-Z]+[0-9]+(?:, [A-Z]+[0-9]+)*(?=[ \t]*$|[ \t]+#)")


def without_expectations(markdown: str) -> str:
    """``markdown`` without its ``# expect: CODE`` comments; a line that held nothing else goes too."""
    kept: list[str] = []
    for line in markdown.split("\n"):
        bare = _EXPECT.sub("", line)
        if bare.strip() or bare == line:
            kept.append(bare)
    return "\n".join(kept)


def render(markdown: str, *, style: Style, laid_out: bool | None = None) -> str:
    """The page as text: as it is, or laid out for a terminal (this is where rich is imported).

    ``laid_out``: which of them; None: laid out when ``style`` has colour.
    """
    text = escape_block(markdown).rstrip("\n") + "\n"
    if not (style.colour if laid_out is None else laid_out):
        return text
    from trainlint.app.report.terminal_page import lay_out

    return lay_out(text, columns=style.columns, colour=style.colour)
