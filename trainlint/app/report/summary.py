"""The end of a run in numbers: how many were found and repaired, how to repair the rest; and how often each rule reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trainlint.app.report import ALL_PASSED
from trainlint.app.report.places import display_path, is_fixable, is_hidden
from trainlint.app.report.printable import escape
from trainlint.app.report.style import Style
from trainlint.codes import CODES
from trainlint.finding import Finding, Level

_ADVICE = ("piece of advice", "pieces of advice")
_TIMES = "\N{MULTIPLICATION SIGN}"

FixedCounts = Mapping[Path, Mapping[tuple[str, str], int]]
"""For each changed file, how often each rule (code, name) was repaired in it."""


def total_fixed(fixed: FixedCounts) -> int:
    """How many findings were repaired in all files together."""
    return sum(sum(counts.values()) for counts in fixed.values())


def after_check(findings: Iterable[Finding], fixed: int, *, style: Style, unsafe: bool = False) -> str:
    """What ``check`` says after the findings: the total, and how to repair what can be repaired.

    ``findings`` are those that remain, ``fixed`` how many were repaired before.
    """
    remaining = list(findings)
    if not remaining and not fixed:
        return ALL_PASSED
    if fixed:
        total = len(remaining) + fixed
        text = f"Found {total} {_noun('finding', total)} ({fixed} fixed, {len(remaining)} remaining).\n"
    else:
        text = f"Found {by_level(remaining)}.\n"
    return text + _how_to_fix(remaining, style, unsafe=unsafe)


def by_level(findings: Collection[Finding]) -> str:
    """How many there are of each level: ``2 errors, 1 warning and 3 pieces of advice``; at least one is given."""
    counts = Counter(finding.level for finding in findings)
    words = {Level.ERROR: ("error", "errors"), Level.WARNING: ("warning", "warnings"), Level.ADVICE: _ADVICE}
    parts = [f"{counts[level]} {words[level][counts[level] > 1]}" for level in Level if counts[level]]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def unjudged(codes: Sequence[str], every: Collection[str], seconds: float, *, goes_on: bool) -> str:
    """The sentence about rules for which there was no time; ``every`` are those that are on.

    ``goes_on``: the next run has less to do.
    """
    if len(codes) >= len(every):
        what = "nothing was judged"
    else:
        codes = sorted(codes, key=lambda code: (code.startswith("TL0"), code))  # those about the run itself say least
        others = f" and {len(codes) - 1} other {'rules' if len(codes) > 2 else 'rule'}" if len(codes) > 1 else ""  # noqa: PLR2004
        what = f"{codes[0]}{others} {'were' if others else 'was'} not judged"
    then = "the next run goes on from there" if goes_on else "nothing was kept that would help the next run: it needs more"
    return f"{what} in {seconds:g} s (`--max-seconds`); {then}"


def profile(spent: Sequence[tuple[str, float]], *, as_json: bool) -> str:
    """What phases and rules took, in seconds of CPU time, as it is sorted; rules by their codes, with their names."""
    total = sum(seconds for _, seconds in spent)
    if as_json:
        rows = [{"name": name, "rule": CODES[name].name if name in CODES else None, "seconds": round(s, 4)} for name, s in spent]
        return json.dumps({"cpu_seconds": round(total, 4), "spent": rows}, indent=2) + "\n"
    rows_of_text = [(seconds, f"{name} {CODES[name].name}" if name in CODES else name) for name, seconds in spent]
    least = 0.001  # less is not worth a line
    lines = [f"{seconds:9.3f}  {seconds / total:4.0%}  {name}" for seconds, name in rows_of_text if seconds >= least]
    return "\n".join([" CPU sec.   of all", *lines, f"{total:9.3f}  100%  in all"]) + "\n"


def older(count: int) -> str:
    """What ``check`` says of findings that are older than the change, in files that it does not touch."""
    return f"{count} older {_noun('finding', count)} in files that were not changed.\n" if count else ""


def more_advice(count: int) -> str:
    """What ``check`` says of findings that are advice and were only counted."""
    return f"{count} more {_ADVICE[count > 1]} with the `--advice` option.\n" if count else ""


def _how_to_fix(findings: list[Finding], style: Style, *, unsafe: bool) -> str:
    fixable = sum(is_fixable(finding, unsafe=unsafe) for finding in findings)
    hidden = sum(is_hidden(finding, unsafe=unsafe) for finding in findings)
    fixes = "fix" if hidden == 1 else "fixes"
    enabled = f"{hidden} hidden {fixes} can be enabled with the `--unsafe-fixes` option"
    if fixable:
        more = f" ({enabled})" if hidden else ""
        return f"[{style.accent('*')}] {fixable} fixable with the `--fix` option{more}.\n"
    return f"No fixes available ({enabled}).\n" if hidden else ""


def after_diff(findings: Iterable[Finding], fixed: int, *, unsafe: bool = False) -> str:
    """What ``check --diff`` says: how many findings it would repair, and how many more unsafe repairs there are."""
    hidden = sum(is_hidden(finding, unsafe=unsafe) for finding in findings)
    if fixed:
        extra = f" ({hidden} additional {'fix' if hidden == 1 else 'fixes'} available with `--unsafe-fixes`)"
        return f"Would fix {fixed} {_noun('finding', fixed)}{extra if hidden else ''}.\n"
    if hidden:
        return f"No findings would be fixed ({hidden} {'fix' if hidden == 1 else 'fixes'} available with `--unsafe-fixes`).\n"
    return "No findings would be fixed.\n"


def spared(count: int) -> str:
    """What is said of repairs that were not made because their findings are known: in the baseline, or at ``--diff-base``."""
    return f"Not repaired, because known already: {count} {_noun('finding', count)}.\n"


def comments_added(comments: int, findings: int) -> str:
    """What ``--add-ignore`` says."""
    about = f" for {findings} {_noun('finding', findings)}" if comments else ""
    return f"Added {comments} suppression {_noun('comment', comments)}{about}.\n"


def comments_refused(findings: int) -> str:
    """What ``--add-ignore`` says of findings that no comment can suppress."""
    return f"No comment can be placed for {findings} {_noun('finding', findings)}.\n"


def fixed_list(fixed: FixedCounts, *, style: Style) -> str:
    """What ``--show-fixes`` prints: for each file, how often each rule was repaired."""
    total = total_fixed(fixed)
    if not total:
        return ""
    lines = [f"Fixed {total} {_noun('finding', total)}:"]
    for path in sorted(fixed):
        lines.append(f"- {style.strong(escape(display_path(path)))}:")
        digits = max((len(str(count)) for count in fixed[path].values()), default=1)
        for (code, name), count in sorted(fixed[path].items(), key=lambda item: (-item[1], item[0])):
            lines.append(f"    {count:>{digits}} {_TIMES} {style.strong(escape(code))} ({escape(name)})")
    return "\n".join(lines) + "\n"


def _noun(word: str, count: int) -> str:
    return word if count == 1 else word + "s"


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


def by_rule(findings: Iterable[Finding], *, style: Style, unsafe: bool = False) -> str:
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


def by_rule_as_json(findings: Iterable[Finding], *, unsafe: bool = False) -> str:
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
