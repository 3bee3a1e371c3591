"""How often each rule reported, as ``ruff check --statistics`` prints it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trainlint.finding import Finding, Level
from trainlint.report.places import is_fixable
from trainlint.report.printable import escape
from trainlint.report.style import Style


@dataclass
class Row:
    """One rule's counts: all of its findings, and those that ``--fix`` would repair."""

    code: str
    name: str
    level: Level
    count: int = 0
    fixable: int = 0

    @property
    def mark(self) -> str:
        """``*`` when every finding can be repaired, ``-`` when some can, a space when none can."""
        if self.fixable == self.count:
            return "*"
        return "-" if self.fixable else " "


def count(findings: Iterable[Finding], *, unsafe: bool = False) -> list[Row]:
    """The rules that reported, most findings first, then by code."""
    rows: dict[str, Row] = {}
    for finding in findings:
        row = rows.setdefault(finding.code, Row(finding.code, finding.name, finding.level))
        row.count += 1
        row.fixable += is_fixable(finding, unsafe=unsafe)
    return sorted(rows.values(), key=lambda row: (-row.count, row.code))


def render(findings: Iterable[Finding], *, style: Style, unsafe: bool = False) -> str:
    """``count<tab>code<tab>[*] name`` for each rule; without the brackets when nothing can be repaired at all."""
    rows = count(findings, unsafe=unsafe)
    digits = max((len(str(row.count)) for row in rows), default=1)
    codes = max((len(escape(row.code)) for row in rows), default=1)
    marks = any(row.fixable for row in rows)
    return "".join(_line(row, digits, codes, style, marks=marks) + "\n" for row in rows)


def _line(row: Row, digits: int, codes: int, style: Style, *, marks: bool) -> str:
    number = style.strong(f"{row.count:>{digits}}")
    mark = row.mark if row.mark == " " else style.accent(row.mark)
    name = f"[{mark}] {escape(row.name)}" if marks else escape(row.name)
    code = escape(row.code)
    return f"{number}\t{style.level(row.level, code)}{' ' * (codes - len(code))}\t{name}"


def render_json(findings: Iterable[Finding], *, unsafe: bool = False) -> str:
    """The same as a JSON list of {code, name, count, fixable, fixable_count}; ``fixable`` means all of them are."""
    import json

    objects = [
        {
            "code": row.code,
            "name": row.name,
            "count": row.count,
            "fixable": row.fixable == row.count,
            "fixable_count": row.fixable,
        }
        for row in count(findings, unsafe=unsafe)
    ]
    return json.dumps(objects, indent=2) + "\n"
