"""What a finding is known by when lines have moved: for baselines, for comparing revisions, for services that track alerts.

A fingerprint holds the rule, the file, the names of the functions and classes around, and the text of the line (without its
indentation), and a number where several findings agree in all of that. So it stays the same when code is added or removed
elsewhere in the file, when the block is indented, and when the message is worded anew; it changes when the line itself does.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from trainlint.finding import Finding

_DEFINITION = re.compile(r"\s*(?:async\s+def|def|class)\s+(\w+)")

LinesOf = Callable[[Path, int | None], Sequence[str]]


def fingerprints(findings: Iterable[Finding], root: Path, lines_of: LinesOf) -> list[str]:
    """A fingerprint (32 hexadecimal digits) for each finding, no two of them equal.

    ``root`` is the folder that file names count from (those outside are absolute); ``lines_of`` gives the lines of a
    file, or of a 1-based cell of a notebook. Equal findings are numbered in the order in which they come.
    """
    seen: Counter[str] = Counter()
    found = []
    for finding in findings:
        lines = lines_of(finding.path, finding.cell)
        text = _line(lines, finding.span.line).strip()
        # Which cell a notebook's line stands in is left out: cells are inserted and moved like lines.
        known = "\0".join((finding.code, relative(finding.path, root), _around(lines, finding.span.line), text))
        seen[known] += 1
        data = f"{known}\0{seen[known]}".encode("utf-8", "surrogatepass")
        found.append(hashlib.sha256(data).hexdigest()[:32])
    return found


def relative(path: Path, root: Path) -> str:
    """``path`` from ``root`` with slashes; the absolute path for what does not lie below it."""
    absolute = os.path.normpath(path.absolute())
    below = os.path.normpath(root.absolute()).rstrip(os.sep) + os.sep
    return absolute.removeprefix(below).replace(os.sep, "/")


def _around(lines: Sequence[str], number: int) -> str:
    """The names of the definitions around a line, told by how far lines are indented: what does not parse has them too."""
    names = []
    depth = _depth(_line(lines, number))
    for line in reversed(lines[: max(number - 1, 0)]):
        if not depth:
            break
        # What ends a list of parameters stands as far left as the definition itself.
        if _depth(line) < depth and line.strip() and line.lstrip()[0] not in "#)]}":
            depth = _depth(line)
            found = _DEFINITION.match(line)
            names += [found[1]] if found else []
    return ".".join(reversed(names))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""
