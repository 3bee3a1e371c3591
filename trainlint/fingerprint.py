"""What a finding is known by when lines have moved: for baselines, for comparing revisions, for services that track alerts.

A fingerprint holds the rule, the file and the text of the line (without its indentation), and a number where several
findings agree in all of that. So it stays the same when code is added or removed elsewhere in the file, when the block
is indented, and when the message is worded anew; it changes when the line itself does.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from trainlint.finding import Finding

LinesOf = Callable[[Path, int | None], Sequence[str]]


def fingerprints(findings: Iterable[Finding], root: Path, lines_of: LinesOf) -> list[str]:
    """A fingerprint (32 hexadecimal digits) for each finding, no two of them equal.

    ``root`` is the folder that file names count from (those outside are absolute); ``lines_of`` gives the lines of a
    file, or of a 1-based cell of a notebook. Equal findings are numbered in the order in which they come.
    """
    seen: Counter[str] = Counter()
    found = []
    for finding in findings:
        text = _line(lines_of(finding.path, finding.cell), finding.span.line).strip()
        # Which cell a notebook's line stands in is left out: cells are inserted and moved like lines.
        known = "\0".join((finding.code, relative(finding.path, root), text))
        seen[known] += 1
        data = f"{known}\0{seen[known]}".encode("utf-8", "surrogatepass")
        found.append(hashlib.sha256(data).hexdigest()[:32])
    return found


def relative(path: Path, root: Path) -> str:
    """``path`` from ``root`` with slashes; the absolute path for what does not lie below it."""
    absolute = os.path.normpath(path.absolute())
    below = os.path.normpath(root.absolute()).rstrip(os.sep) + os.sep
    return absolute.removeprefix(below).replace(os.sep, "/")


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""
