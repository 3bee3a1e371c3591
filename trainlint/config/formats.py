"""The names of the output formats. They stand here because the configuration, the command line and the report share them."""

from __future__ import annotations

FORMATS = (
    "full",
    "concise",
    "grouped",
    "json",
    "json-lines",
    "html",
    "markdown",
    "github",
    "sarif",
    "gitlab",
    "rdjson",
    "junit",
    "azure",
    "pylint",
)
"""What ``--output-format`` and the option ``output-format`` know; the names are ruff's where ruff has the format too."""

FOR_PEOPLE = frozenset({"full", "concise", "grouped"})
"""The formats that are followed by a summary. What a program reads holds nothing else."""
