"""Annotations in Azure Pipelines: logging commands.

``##vso[task.logissue type=error;sourcepath=F;linenumber=L;columnnumber=C;code=K;]M``; escapes as
microsoft/azure-pipelines-agent ``CommandStringConvertor`` undoes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.finding import Finding, Level
from trainlint.report.places import display_path


def render(findings: Iterable[Finding]) -> str:
    """One command a line; Azure knows errors and warnings only."""
    return "".join(_command(finding) + "\n" for finding in findings)


def _command(finding: Finding) -> str:
    kind = "error" if finding.level is Level.ERROR else "warning"
    properties = {"type": kind, "sourcepath": display_path(finding.path)}
    if finding.cell is None:
        properties.update(linenumber=str(finding.span.line), columnnumber=str(finding.span.column))
    properties["code"] = finding.code
    words = "".join(f"{key}={_property(value)};" for key, value in properties.items())
    cell = "" if finding.cell is None else f"cell {finding.cell}, line {finding.span.line}: "
    return f"##vso[task.logissue {words}]{_data(cell + finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(";", "%3B").replace("]", "%5D")
