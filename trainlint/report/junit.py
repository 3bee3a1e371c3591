"""JUnit's XML, which most build servers show: a suite for each file, a failed case for each finding."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.finding import Finding
from trainlint.report.places import display_path
from trainlint.report.printable import escape, escape_block


def render(findings: Iterable[Finding]) -> str:
    """The whole document. Without findings it holds one case that passed: a report without cases counts as broken."""
    found = list(findings)
    top = ET.Element("testsuites", name="trainlint", tests=str(max(len(found), 1)), failures=str(len(found)), errors="0")
    for path, group in groupby(found, key=lambda finding: finding.path):
        _suite(top, escape(display_path(path)), list(group))
    if not found:
        suite = ET.SubElement(top, "testsuite", name="trainlint", tests="1", failures="0", errors="0", skipped="0")
        ET.SubElement(suite, "testcase", name="No findings", classname="trainlint", time="0")
    ET.indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(top, encoding="unicode") + "\n"


def _suite(top: ET.Element, path: str, found: list[Finding]) -> None:
    count = str(len(found))
    suite = ET.SubElement(top, "testsuite", name=path, tests=count, failures=count, errors="0", skipped="0")
    for finding in found:
        line, column = str(finding.span.line), str(finding.span.column)
        cell = "" if finding.cell is None else f"cell {finding.cell}, "
        case = ET.SubElement(suite, "testcase", name=f"{finding.code} {finding.name}", classname=path, line=line, column=column)
        case.set("time", "0")
        message = escape_block(finding.message)
        failure = ET.SubElement(case, "failure", type=finding.level.value, message=message)
        failure.text = f"{cell}line {line}, column {column}: {message}"
