"""Annotations that build servers read from the output of a run: GitHub's workflow commands, Azure's logging commands.

GitHub: ``::error file=F,line=L,endLine=E,col=C,endColumn=D,title=T::M``. Of a message ``%``, carriage return and newline are
escaped, of a property also ``:`` and ``,`` (docs.github.com, "Workflow commands"; actions/toolkit ``command.ts``).
GitHub takes columns only where a finding begins and ends on one line (actions/toolkit ``core.AnnotationProperties``).

Azure: ``##vso[task.logissue type=error;sourcepath=F;linenumber=L;columnnumber=C;code=K;]M``; escapes as
microsoft/azure-pipelines-agent ``CommandStringConvertor`` undoes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.app.report.places import InFile, display_path, headline, in_cell, span_in_file
from trainlint.app.report.printable import controls_escaped
from trainlint.finding import Finding, Level, Span

_KINDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.ADVICE: "notice"}


def render_github(findings: Iterable[Finding], in_file: InFile | None = None) -> str:
    """One command a line, with the first line of the message: an annotation has one place, and little room.

    A notebook's finding stands at its line of the JSON, as ``in_file`` says, else at the notebook as a whole.
    """
    return "".join(_workflow_command(finding, in_file) + "\n" for finding in findings)


def _workflow_command(finding: Finding, in_file: InFile | None) -> str:
    properties = {"file": display_path(finding.path)}
    span = span_in_file(finding.path, finding.cell, finding.span, in_file)
    if span is not None:
        properties.update(_range(span))
    properties["title"] = f"{finding.code} {finding.name}"
    words = ",".join(f"{key}={_github_property(value)}" for key, value in properties.items())
    return f"::{_KINDS[finding.level]} {words}::{_github_data(in_cell(finding) + headline(finding))}"


def _range(span: Span) -> dict[str, str]:
    lines = {"line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        lines.update(col=str(span.column), endColumn=str(span.end_column))
    return lines


def _github_data(text: str) -> str:
    return controls_escaped(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


def render_azure(findings: Iterable[Finding], in_file: InFile | None = None) -> str:
    """One command a line; Azure knows errors and warnings only. ``in_file``: where a notebook's cells are in its JSON."""
    return "".join(_logging_command(finding, in_file) + "\n" for finding in findings)


def _logging_command(finding: Finding, in_file: InFile | None) -> str:
    kind = "error" if finding.level is Level.ERROR else "warning"
    properties = {"type": kind, "sourcepath": display_path(finding.path)}
    span = span_in_file(finding.path, finding.cell, finding.span, in_file)
    if span is not None:
        properties.update(linenumber=str(span.line), columnnumber=str(span.column))
    properties["code"] = finding.code
    words = "".join(f"{key}={_azure_property(value)};" for key, value in properties.items())
    return f"##vso[task.logissue {words}]{_azure_data(in_cell(finding) + finding.message)}"


def _azure_data(text: str) -> str:
    return controls_escaped(text).replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _azure_property(text: str) -> str:
    return _azure_data(text).replace(";", "%3B").replace("]", "%5D")
