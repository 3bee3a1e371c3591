"""Where the findings of notebooks are in their files: in the JSON, which is what services show the lines of."""

from __future__ import annotations

import os
from pathlib import Path

from trainlint.engine.workspace import Workspace
from trainlint.finding import Edit, Repair, Span
from trainlint.source.notebook import JsonLines


class NotebookPlaces:
    """Places in the notebooks of a workspace. Made for :class:`trainlint.engine.result.InFile`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lines: dict[str, JsonLines | None] = {}

    def span(self, path: Path, cell: int, span: Span) -> Span | None:
        """The place in the file's own lines of a place in a 1-based cell; None when it cannot be had."""
        lines = self._json(path)
        return None if lines is None else lines.span(cell, span)

    def edits(self, path: Path, repair: Repair) -> tuple[Edit, ...] | None:
        """A repair as edits of the file's own lines; None when it cannot be had."""
        from trainlint.edits.notebooks import json_edits

        lines = self._json(path)
        return None if lines is None else json_edits(lines, repair.edits)

    def _json(self, path: Path) -> JsonLines | None:
        name = os.path.abspath(path)  # noqa: PTH100 - links keep their names
        if name not in self._lines:
            source = self._workspace.keep(name)
            self._lines[name] = JsonLines(source.text) if source is not None and source.is_notebook else None
        return self._lines[name]
