"""Places as the user spells them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trainlint.engine.workspace import Workspace
from trainlint.explaining.account import At
from trainlint.finding import Spot

_LONGEST = 120


class Places:
    """From the parser's spots to places as the user spells them."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.spelled: Mapping[str, Path] = workspace.spelled

    def at(self, module: str, spot: Spot) -> At:
        """The place where a spot of a file begins."""
        path = self.spelled.get(module, Path(module))
        source = self.workspace.keep(module)
        if source is None:
            return At(path, None, spot.line, 1)
        span = source.span(spot)
        where = source.cell_of(span.line)
        return At(path, None, span.line, span.column) if where is None else At(path, where[0], where[1], span.column)

    def text(self, module: str, spot: Spot) -> str:
        """The source of a spot, on one line, cut when it is long."""
        source = self.workspace.keep(module)
        if source is None:
            return ""
        span = source.span(spot)
        code = source.code[source.offset(span.line, span.column) : source.offset(span.end_line, span.end_column)]
        text = " ".join(code.split())
        return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
