"""Annotations in Azure Pipelines: logging commands.

``##vso[task.logissue type=error;sourcepath=F;linenumber=L;columnnumber=C;code=K;]M``; escapes as
microsoft/azure-pipelines-agent ``CommandStringConvertor`` undoes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.finding import Finding, Level
from trainlint.report.places import InFile, display_path, in_cell, span_in_file
from trainlint.report.printable import controls_escaped


def render(findings: Iterable[Finding], in_file: InFile | None = None) -> str:
    """One command a line; Azure knows errors and warnings only. ``in_file``: where a notebook's cells are in its JSON."""
    return "".join(_command(finding, in_file) + "\n" for finding in findings)


def _command(finding: Finding, in_file: InFile | None) -> str:
    kind = "error" if finding.level is Level.ERROR else "warning"
    properties = {"type": kind, "sourcepath": display_path(finding.path)}
    span = span_in_file(finding.path, finding.cell, finding.span, in_file)
    if span is not None:
        properties.update(linenumber=str(span.line), columnnumber=str(span.column))
    properties["code"] = finding.code
    words = "".join(f"{key}={_property(value)};" for key, value in properties.items())
    return f"##vso[task.logissue {words}]{_data(in_cell(finding) + finding.message)}"


def _data(text: str) -> str:
    return controls_escaped(text).replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(";", "%3B").replace("]", "%5D")
