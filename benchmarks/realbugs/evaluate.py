"""Count which real bugs a linter reports, and whether it falls silent where they were repaired."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .clones import NotThereError, contains, export, repository, require
from .counts import CLEARED, KEPT, MISSED, NOT_THERE, Count, Outcome, by_family, by_repository, count, wilson
from .linters import Finding, Linter, LinterFailedError, known, linter
from .rows import Row, read

NEAR = 3
"""At module level, and at the repaired place, so many lines on each side belong to it."""


# ---- one row ---------------------------------------------------------------------------------------------------------


def judge(row: Row, clones: Path, asked: Linter, timeout: float) -> Outcome:
    """Return what becomes of a row with a linter. ``clones`` is a folder of git repositories, ``timeout`` is in seconds a run.

    It is found when before the repair a finding with one of its codes lies in the same function (at module level: near it),
    or names a place there; it is cleared when after the repair none lies near the repaired place and the function has fewer.
    """
    try:
        repo = repository(clones, row.repo)
        require(repo, row.parent)
        require(repo, row.fix)
        if not asked.may_name(row.codes):
            return Outcome(row, MISSED if contains(repo, row.parent, row.path) else "no file")
        before, _ = _findings(row, repo, asked, timeout, fixed=False)
        if not before:
            return Outcome(row, MISSED)
        after, at_fix = _findings(row, repo, asked, timeout, fixed=True)
    except NotThereError as error:
        return Outcome(row, str(error))
    except LinterFailedError as error:
        return Outcome(row, MISSED, trouble=str(error))
    return Outcome(row, CLEARED if not at_fix and after < before else KEPT, before, after, at_fix)


def _findings(row: Row, repo: Path, asked: Linter, timeout: float, *, fixed: bool) -> tuple[int, int]:
    """How many findings name the bug in its function, and how many near the repaired place, at one of the two commits."""
    path = (row.fixed_path or row.path) if fixed else row.path
    first = (row.fixed_line or row.line) if fixed else row.line
    last = first if fixed else row.end_line
    with tempfile.TemporaryDirectory(prefix="realbugs-") as name:
        root = Path(name).resolve()
        if not export(repo, row.fix if fixed else row.parent, path, root):
            if fixed:
                return 0, 0  # the file went away, and the bug with it
            raise NotThereError("no file")
        found = asked.check(root, path, row.codes, timeout)
        source = (root / path).read_text(encoding="utf-8", errors="replace")
    near = _hits(found, row, path, first - NEAR, first + NEAR) if fixed and row.fixed_line else 0
    return _hits(found, row, path, *around(source, first, last)), near


def around(source: str, first: int, last: int) -> tuple[int, int]:
    """Lines of the innermost function that holds ``first`` to ``last``, and in any case those and ``NEAR`` on each side."""
    low, high = first - NEAR, last + NEAR
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return low, high
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    spans = [(node.lineno, node.end_lineno or node.lineno) for node in functions]
    inner = max((span for span in spans if span[0] <= first and span[1] >= last), default=(low, high))
    return min(inner[0], low), max(inner[1], high)


def _hits(found: Iterable[Finding], row: Row, path: str, first: int, last: int) -> int:
    named = (each for each in found if not each.codes.isdisjoint(row.codes))
    return sum(any(place.path == path and place.first <= last and place.last >= first for place in each.places) for each in named)


# ---- all of them -----------------------------------------------------------------------------------------------------


def evaluate(rows: Sequence[Row], clones: Path, asked: Linter, *, jobs: int = 2, timeout: float = 300) -> Iterator[Outcome]:
    """What becomes of each row, in their order, ``jobs`` at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda row: judge(row, clones, asked, timeout), rows)


def hidden(path: Path, rows: Iterable[Row]) -> bool:
    """Whether a file of rows is exam material, of which only counts may be seen."""
    return path.name.lower().startswith("exam") or any(row.id.startswith("E") for row in rows)


def summary(outcomes: Sequence[Outcome], unusable: int) -> dict[str, Any]:
    """What is kept of a run: the counts, and the shares of decidable rows that could be judged. Nothing of a single row."""
    whole = count(outcomes)
    troubles = sorted({each.trouble for each in outcomes} - {""})
    return {
        "unusable lines": unusable,
        "repositories": len({each.row.repo.lower() for each in outcomes}),
        "total": whole._asdict(),
        "families": {family: each._asdict() for family, each in by_family(outcomes).items()},
        "found before": _share(whole.found, whole.judged, by_repository(outcomes, (CLEARED, KEPT))),
        "found and cleared": _share(whole.cleared, whole.judged, by_repository(outcomes, (CLEARED,))),
        "not there": {why: sum(each.result == why for each in outcomes) for why in NOT_THERE},
        "failed": {why: sum(each.trouble == why for each in outcomes) for why in troubles},
    }


def _share(part: int, whole: int, weighted: float | None) -> dict[str, Any]:
    low, high = wilson(part, whole)
    share = round(part / whole, 6) if whole else None
    by_repo = None if weighted is None else round(weighted, 6)
    return {"of": whole, "share": share, "interval": [round(low, 6), round(high, 6)], "weighted by repository": by_repo}


def table(outcomes: Sequence[Outcome]) -> str:
    """The counts for the terminal."""
    heads = Count._fields
    whole = {**by_family(outcomes), "total": count(outcomes)}
    lines = ["".join(f"{head.replace('_', ' '):>{len(head) + 2}}" for head in ("family", *heads))]
    for name, each in whole.items():
        cells = zip(("family", *heads), (name, *each), strict=True)
        lines.append("".join(f"{value:>{len(head) + 2}}" for head, value in cells))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns 0 whatever was found, 2 when it was called wrongly."""
    parser = _parser()
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore", SyntaxWarning)  # of the code that is read
    warnings.simplefilter("ignore", DeprecationWarning)
    try:
        rows, wrong = read(given.rows)
        asked = linter(given.linter, given.program)
        only = re.compile(given.only)
    except (OSError, ValueError, re.error) as error:
        parser.error(str(error))
    secret = hidden(given.rows, rows)
    if secret and (given.show or given.only):
        parser.error("exam rows are counted, never shown: who has read them can no longer be judged by them")
    rows = [row for row in rows if only.search(" ".join((row.id, row.repo, *row.codes)))]
    try:
        version = asked.version()
    except LinterFailedError as error:
        parser.error(f"{' '.join(asked.program)}: {error}")
    for line in wrong:
        print(f"{given.rows.name}: {line}")
    outcomes: list[Outcome] = []
    for each in evaluate(rows, given.repos, asked, jobs=given.jobs, timeout=given.timeout):
        outcomes.append(each)
        _report(each, show=given.show)
        if len(outcomes) % 25 == 0:
            print(f"{len(outcomes)} of {len(rows)}", file=sys.stderr, flush=True)
    whole = summary(outcomes, len(wrong))
    print(table(outcomes))
    for name in ("found before", "found and cleared"):
        share = whole[name]
        if share["of"]:
            low, high = (100 * each for each in share["interval"])
            weighted = 100 * share["weighted by repository"]
            print(f"{name}: {100 * share['share']:.1f} % ({low:.1f} to {high:.1f}); {weighted:.1f} % weighted by repository")
    if given.json is not None:
        about = {"rows file": given.rows.name, "linter": asked.name, "version": version, "note": given.note}
        single = {} if secret else {"each": [_kept(each) for each in outcomes]}
        text = json.dumps({**about, **whole, **single}, indent=1, ensure_ascii=False)
        given.json.write_text(text + "\n", encoding="utf-8")
    return 0


def _report(outcome: Outcome, *, show: bool) -> None:
    """Name a row that was not judged, or on which the linter failed; with ``show``, say where others went wrong."""
    row, said = outcome.row, outcome.trouble or outcome.result
    if outcome.result in NOT_THERE or outcome.trouble:
        print(f"{row.id}: {said}")
    elif show and outcome.result != CLEARED:
        codes = ",".join(row.codes)
        print(f"{row.id}: {said}: {row.repo}@{row.parent[:10]} {row.path}:{row.line} {codes} {row.what}")


def _kept(outcome: Outcome) -> dict[str, Any]:
    return {"id": outcome.row.id, **{key: value for key, value in outcome._asdict().items() if key != "row"}}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks.realbugs", description=__doc__)
    parser.add_argument("rows", type=Path, help="file of rows: practice.jsonl or exam.jsonl")
    parser.add_argument(
        "--repos", type=Path, required=True, help="folder of clones: DIR/owner+name, owner+name/repo or owner/name"
    )
    parser.add_argument("--linter", default="trainlint", help=f"{', '.join(known())}, or a command with {{file}} in it")
    parser.add_argument("--program", help="what starts the linter, where that is not on the PATH")
    parser.add_argument("--only", default="", metavar="REGEX", help="only rows whose id, repository or codes match")
    parser.add_argument("--show", action="store_true", help="say which rows were missed or not cleared (never of an exam)")
    parser.add_argument("--jobs", type=int, default=2, help="rows at a time")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for each run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures; of practice, those of each row, too")
    parser.add_argument("--note", default="", help="words to keep with the figures, such as a commit")
    return parser
