"""trainlint dev ledger: runs the default rules on real repositories and keeps a judged record of what they report.

What the ledger must know of a repository on disk: which commit it is and which function a line belongs to.

``trainlint dev ledger DIR``: runs the default rules on real repositories and keeps a judged record of what they
report.

DIR holds one folder per repository, called ``owner+name``. The record is one file of JSON lines per repository, facts only:
repository, commit, path, line, rule, the verdict of the person who read it, and why. Messages may be reworded and code of
the repository never enters: a finding is known again by its path, rule, line and enclosing function.
"""

from __future__ import annotations

import ast
import functools
import json
import subprocess
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.app.dev import catalogue
from trainlint.codes import DEFAULT, UNSETTLED

if TYPE_CHECKING:
    from trainlint.finding import Finding


def commit_of(folder: Path) -> str | None:
    """The commit checked out in ``folder`` itself (not in a repository around it), or None."""
    if not (folder / ".git").exists():
        return None
    try:
        answer = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()


def enclosing_function(path: Path, line: int) -> str:
    """Dotted name of the innermost function or class around the 1-based line; ``""`` at module level or in broken files."""
    around = [(start, name) for name, start, end in _definitions(path) if start <= line <= end]
    return max(around, default=(0, ""))[1]


@functools.lru_cache(maxsize=64)
def _definitions(path: Path) -> tuple[tuple[str, int, int], ...]:
    """All functions and classes of a file: dotted name, first and last line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other people's invalid escapes
            tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: list[tuple[str, int, int]] = []
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            prefix = f"{prefix}.{node.name}" if prefix else node.name
            found.append((prefix, node.lineno, node.end_lineno or node.lineno))
        waiting += [(child, prefix) for child in ast.iter_child_nodes(node)]
    return tuple(found)


VERDICTS = ("true", "false", "unsure", "unjudged")
Check = Callable[[Path], "list[Finding]"]


class BadLedger(ValueError):
    """A ledger file is malformed; the message begins with file and line."""


@dataclass(frozen=True, order=True)
class Entry:
    """One finding in a repository and what was made of it.

    ``line`` is 1-based, within the 1-based ``cell`` for notebooks (0 elsewhere); ``function`` is the dotted name of the innermost
    enclosing function or class, ``""`` at module level.
    """

    path: str
    line: int
    rule: str
    function: str = ""
    cell: int = 0
    repository: str = ""
    commit: str = ""
    verdict: str = "unjudged"
    why: str = ""

    @property
    def fingerprint(self) -> tuple[str, str, int, int, str]:
        """What stays the same when a message is reworded."""
        return (self.path, self.rule, self.cell, self.line, self.function)

    @property
    def home(self) -> tuple[str, str, str]:
        """What usually stays the same when the repository moves to another commit."""
        return (self.path, self.rule, self.function)


@dataclass(frozen=True)
class Comparison:
    """What a run changed: entries ``kept`` (with their verdicts, at today's place), ``new`` and ``vanished``."""

    kept: tuple[Entry, ...]
    new: tuple[Entry, ...]
    vanished: tuple[Entry, ...]


def read(path: Path) -> list[Entry]:
    """The entries of one ledger file, none when there is no file. Raises :class:`BadLedger`."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    entries = [_entry(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    doubled = [key for key, count in Counter(each.fingerprint for each in entries).items() if count > 1]
    if doubled:
        raise BadLedger(f"{path}:1: stands here twice: {doubled[0]}")
    return entries


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Store entries sorted by place, one JSON object a line; a file without entries is removed."""
    lines = [json.dumps(_record(each), ensure_ascii=False) + "\n" for each in sorted(entries)]
    if lines:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), encoding="utf-8", newline="\n")
    else:
        path.unlink(missing_ok=True)


def entries_of(findings: Iterable[Finding], folder: Path, commit: str) -> list[Entry]:
    """Today's findings in the repository ``folder`` as unjudged entries; findings at the same place count once."""
    made: set[Entry] = set()
    for each in findings:
        path = each.path.resolve()
        name = path.relative_to(folder.resolve()).as_posix()
        function = "" if each.cell else enclosing_function(path, each.span.line)
        made.add(Entry(name, each.span.line, each.code, function, each.cell or 0, folder.name.replace("+", "/", 1), commit))
    return sorted(made)


def compare(known: Sequence[Entry], found: Sequence[Entry]) -> Comparison:
    """Hand the known verdicts to today's findings.

    First by fingerprint. What is left over is matched by (path, rule, function) in the order of lines, but only where the
    number of findings there did not change and the commit did: on the same commit a finding on another line is another finding.
    """
    by_print = {each.fingerprint: each for each in known}
    kept = [_judged(each, by_print.pop(each.fingerprint)) for each in found if each.fingerprint in by_print]
    seen = {each.fingerprint for each in kept}
    rest = [each for each in found if each.fingerprint not in seen]
    lost = list(by_print.values())
    for home in sorted({each.home for each in rest}):
        olds, news = ([each for each in side if each.home == home] for side in (sorted(lost), sorted(rest)))
        if len(olds) == len(news) and all(old.commit != new.commit for old, new in zip(olds, news, strict=True)):
            kept += [_judged(new, old) for old, new in zip(olds, news, strict=True)]
            lost = [each for each in lost if each not in olds]
            rest = [each for each in rest if each not in news]
    return Comparison(tuple(sorted(kept)), tuple(sorted(rest)), tuple(sorted(lost)))


def table(entries: Iterable[Entry]) -> str:
    """Rule, findings, verdicts, precision: a line per rule and a total. Unsure counts as false, unjudged as nothing."""
    counts: dict[str, Counter[str]] = {}
    for each in entries:
        counts.setdefault(each.rule, Counter())[each.verdict] += 1
    total: Counter[str] = Counter()
    for count in counts.values():
        total.update(count)
    rows = [
        ("rule", "findings", *VERDICTS, "precision"),
        *(_row(rule, counts[rule]) for rule in sorted(counts)),
        _row("all", total),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    )


def check_repository(folder: Path) -> list[Finding]:
    """The real engine: what the rules report in a repository, those that are off by default among them."""
    from trainlint import check_paths

    return check_paths([folder], select=sorted(DEFAULT | UNSETTLED))


def main(
    directory: Path,
    write_new: bool = False,
    *,
    commits: Mapping[str, str] | None = None,
    ledger: Path | None = None,
    check: Check = check_repository,
) -> int:
    """The command: compare every repository below ``directory`` with its ledger, print what moved and the table.

    ``commits`` says which commit a folder (by name) holds, for folders without git; with ``write_new`` the ledger takes today's
    findings over. 0, or 2 when there is no repository or a ledger cannot be read.
    """
    folder = catalogue.checkout() / "tests" / "ledger" if ledger is None else ledger
    repositories = (
        sorted(each for each in directory.iterdir() if each.is_dir() and "+" in each.name) if directory.is_dir() else []
    )
    if not repositories:
        print(f"no folder owner+name below {directory}")
        return 2
    everything: list[Entry] = []
    for repository in repositories:
        store = folder / f"{repository.name}.jsonl"
        try:
            known = read(store)
        except BadLedger as error:
            print(error)
            return 2
        commit = (commits or {}).get(repository.name) or commit_of(repository) or (known[0].commit if known else "unknown")
        comparison = compare(known, entries_of(check(repository), repository, commit))
        _print_moves(repository.name, comparison)
        if write_new:
            write(store, [*comparison.kept, *comparison.new])
        everything += [*comparison.kept, *comparison.new]
    print(table(everything))
    return 0


def _print_moves(name: str, comparison: Comparison) -> None:
    print(f"{name}: {len(comparison.kept)} known, {len(comparison.new)} new, {len(comparison.vanished)} vanished")
    for each in comparison.new:
        print(f"  + {each.rule} {each.path}:{each.line} in {each.function or 'module'}: to be judged")
    for each in comparison.vanished:
        print(f"  - {each.rule} {each.path}:{each.line} in {each.function or 'module'}: was {each.verdict} {each.why}".rstrip())


def _judged(today: Entry, known: Entry) -> Entry:
    return replace(today, verdict=known.verdict, why=known.why)


def _row(rule: str, count: Counter[str]) -> tuple[str, ...]:
    judged = count["true"] + count["false"] + count["unsure"]
    precision = f"{100 * count['true'] / judged:.1f}%" if judged else "–"
    return (rule, str(sum(count.values())), *(str(count[each]) for each in VERDICTS), precision)


def _record(entry: Entry) -> dict[str, object]:
    """The entry as it is stored: identity first, empty optional parts left out."""
    record = asdict(entry)
    order = ("repository", "commit", "path", "cell", "line", "function", "rule", "verdict", "why")
    return {key: record[key] for key in order if record[key] or key not in {"cell", "function"}}


def _entry(line: str, place: str) -> Entry:
    try:
        entry = Entry(**json.loads(line))
    except (ValueError, TypeError) as error:
        raise BadLedger(f"{place}: {error}") from None
    if entry.verdict not in VERDICTS:
        raise BadLedger(f"{place}: verdict {entry.verdict!r} is none of {', '.join(VERDICTS)}")
    if entry.verdict != "unjudged" and not entry.why:
        raise BadLedger(f"{place}: a verdict needs a word why")
    return entry
