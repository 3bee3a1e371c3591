"""trainlint dev repairs: repairs copies of real repositories with every rule and looks for harm.

What is wrong with the bytes of a repaired file: it no longer parses, or more changed in it than its repairs say.

Each repository is repaired twice over, by ``--fix`` and by ``--fix --unsafe-fixes``. Afterwards every file must parse, nothing
may have changed but what the repairs say, what was repaired is gone, nothing new is found, and a second run changes nothing.
"""

from __future__ import annotations

import difflib
import io
import os
import re
import shutil
import sys
import tempfile
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import AnyStr, TextIO

from trainlint.app.engine import driver
from trainlint.app.engine.result import FixMode, Result
from trainlint.app.engine.session import Staying
from trainlint.config import Overrides, Settings, find_settings
from trainlint.edits.apply import apply_edits
from trainlint.finding import Applicability, Edit, Finding
from trainlint.source.text import Source, UnreadableSource

_LINE_END = re.compile(rb"\r\n|\r|\n")
_LINES = re.compile(r"\r\n|\r|\n")
#: Files that are Python, or have it in their cells.
_PARSED = frozenset((".py", ".pyi", ".ipynb"))
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


Step = tuple[Sequence[str], Sequence[Finding]]
"""The lines of a file before a round of repairs, and the findings whose repairs could be made in it."""


def harm(path: Path, before: bytes, after: bytes, steps: Sequence[Step]) -> Iterator[str]:
    """Sentences about a file that was ``before`` and is ``after`` these rounds of repairs; none when all is well."""
    if after == before:
        return
    if not steps:
        yield "changed, and no repair was offered"
        return
    if path.suffix in _PARSED and not parses(path, after):
        yield "does not parse any more"
        return
    yield from _layout(before, after)
    if path.suffix == ".py":
        gone = [text for text in comments(before) - comments(after) if not _for_linters(text)]
        yield from (f"a comment is gone: {text}" for text in gone)
        texts = [*(lines for lines, _ in steps), _LINES.split(Source.from_bytes(path, after).text)]
        for number, (lines, findings) in enumerate(steps):
            if not is_subsequence(untouched_lines(lines, findings), texts[number + 1]):
                yield "a line changed that no edit names"


def parses(path: Path, data: bytes) -> bool:
    """Whether the file (the code of a notebook) can be read and parsed."""
    try:
        source = Source.from_bytes(path, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other people's invalid escapes
            compile(source.code, str(path), "exec", dont_inherit=True, flags=0x400)  # PyCF_ONLY_AST
    except (UnreadableSource, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def untouched_lines(lines: Sequence[AnyStr], findings: Iterable[Finding]) -> list[AnyStr]:
    """Those of the lines of a file that no edit of the findings' repairs changes, in order."""
    edits = [edit for each in findings if each.repair is not None for edit in each.repair.edits]
    touched = {
        line for edit in edits for line in range(edit.span.line, edit.span.end_line + (not _ends_before_its_last_line(edit)))
    }
    return [line for number, line in enumerate(lines, 1) if number not in touched]


def is_subsequence(part: Iterable[AnyStr], whole: Iterable[AnyStr]) -> bool:
    """Whether all of ``part`` stands in ``whole`` in the same order."""
    rest = iter(whole)
    return all(any(line == other for other in rest) for line in part)


def comments(data: bytes) -> Counter[str]:
    """The comments of a file, as a multiset."""
    return Counter(token.string for token in tokenize.tokenize(io.BytesIO(data).readline) if token.type == tokenize.COMMENT)


def _layout(before: bytes, after: bytes) -> Iterator[str]:
    """Byte order mark, kinds of line ends and the end of the file are as they were."""
    if any(before.startswith(bom) != after.startswith(bom) for bom in _BOMS):
        yield "its byte order mark is another one"
    if not set(_LINE_END.findall(after)) <= set(_LINE_END.findall(before)):
        yield "it has line ends that it did not have"
    if before.endswith((b"\n", b"\r")) != after.endswith((b"\n", b"\r")):
        yield "it ends in another way"


def _for_linters(comment: str) -> bool:
    """Whether it is one of the comments that a repair (of an unused suppression) takes away."""
    return "noqa" in comment.lower() or "trainlint" in comment


def _ends_before_its_last_line(edit: Edit) -> bool:
    """Whether the line on which the edit's span ends stays as it is: the span ends at its start, and so does the new text."""
    whole_lines = edit.content.endswith(("\n", "\r")) or (not edit.content and edit.span.column == 1)
    return edit.span.end_column == 1 and whole_lines


_KEPT = (".py", ".ipynb", ".toml", ".cfg", ".txt", ".md", ".rst", ".yml", ".yaml")
_ALLOWED = {False: {Applicability.SAFE}, True: {Applicability.SAFE, Applicability.UNSAFE}}


@dataclass
class Account:
    """What came of the repairs: how many each rule made, in how many files, and sentences about harm."""

    made: Counter[tuple[str, bool]] = field(default_factory=Counter)
    repositories: int = 0
    files: int = 0
    harm: list[str] = field(default_factory=list)


def main(folders: Sequence[Path], diffs: Path | None = None) -> int:
    """The command: 0 when no repair harms, 1 when one does, 2 when there is nothing to repair in."""
    account = Account()
    shown = None if diffs is None else diffs.open("w", encoding="utf-8", errors="surrogateescape")
    for repository in _repositories(folders):
        problems = len(account.harm)
        examine(repository, account, shown)
        account.repositories += 1
        print(f"{repository.name}: {len(account.harm) - problems} problems", file=sys.stderr, flush=True)
        print("\n".join(account.harm[problems:]), end="\n" if len(account.harm) > problems else "", flush=True)
    if shown is not None:
        shown.close()
    if not account.repositories:
        print("no folder to repair in")
        return 2
    print(table(account))
    return int(bool(account.harm))


def examine(repository: Path, account: Account, shown: TextIO | None = None) -> None:
    """Repair copies of a repository, safe repairs only and all, and add what came of it to the account."""
    settings = find_settings(repository, Overrides(flags={"select": ["ALL"], "preview": True}), isolated=True)
    with tempfile.TemporaryDirectory(prefix="trainlint-repairs-") as folder:
        root = Path(folder).resolve() / repository.name
        _copy(repository, root)
        before = _bytes(root)
        staying = Staying()
        found = _check(root, settings, staying)
        if shown is not None:
            shown.writelines(_examples(found, root))
            shown.flush()
        for unsafe in (False, True):
            if any(each.repair is not None and each.repair.applicability in _ALLOWED[unsafe] for each in found.findings):
                _repair(root, settings, staying, before, found.findings, unsafe, account)


def table(account: Account) -> str:
    """A line for each rule that repaired something: repairs by ``--fix``, and by ``--fix --unsafe-fixes``."""
    codes = sorted({code for code, _ in account.made})
    rows = [f"{code}  {account.made[code, False]:6}  {account.made[code, True]:6}" for code in codes]
    total = [sum(count for (_, unsafe), count in account.made.items() if unsafe is wanted) for wanted in (False, True)]
    return "\n".join(
        [
            "rule   safe    all",
            *rows,
            f"all    {total[0]:6}  {total[1]:6}",
            f"{account.repositories} repositories, {account.files} files repaired, {len(account.harm)} problems",
        ]
    )


def _repair(
    root: Path,
    settings: Settings,
    staying: Staying,
    before: dict[Path, bytes],
    found: Sequence[Finding],
    unsafe: bool,
    account: Account,
) -> None:
    """One way of repairing, from the original bytes and back to them."""
    modes = {path: path.stat().st_mode for path in before}
    steps = _Steps(_ALLOWED[unsafe])
    done = driver.check([root], settings, fix=FixMode.APPLY, unsafe=unsafe, staying=staying, new=steps.watch)
    after = _bytes(root)
    account.files += sum(after.get(path) != data for path, data in before.items())
    for counts in done.fixed.values():
        account.made.update({(code, unsafe): number for (code, _), number in counts.items()})
    account.harm += [f"{root.name}: {error}" for error in done.errors if "could not be written" in error]
    wrong = [(path, "came or went") for path in before.keys() ^ after.keys()]
    for path in before.keys() & after.keys():
        wrong += [(path, each) for each in harm(path, before[path], after[path], steps.of.get(path, ()))]
        wrong += [(path, "has another mode")] if path.stat().st_mode != modes[path] else []
    wrong += _left(found, done)
    again = _check(root, settings, staying, FixMode.APPLY, unsafe)
    wrong += [(path, "is changed by a second run") for path, data in _bytes(root).items() if after.get(path) != data]
    if again.internal_errors:
        wrong.append((root, "makes trainlint fail"))
    kind = "all repairs" if unsafe else "safe repairs"
    account.harm += [f"{root.name}/{path.relative_to(root).as_posix()}: {kind}: {what}" for path, what in sorted(wrong)]
    for path, data in before.items():
        if after.get(path) != data:
            path.write_bytes(data)


class _Steps:
    """Watches the rounds of a run: which repairs there are in each file, and its lines at that time."""

    def __init__(self, allowed: set[Applicability]) -> None:
        self.of: dict[Path, list[Step]] = {}
        self._allowed = allowed

    def watch(self, findings: Sequence[Finding], lines_of: Callable[[Path, int | None], Sequence[str]]) -> Sequence[Finding]:
        """All are to be repaired; what the engine asks in each round."""
        offered: dict[Path, list[Finding]] = {}
        for each in findings:
            if each.repair is not None and each.repair.applicability in self._allowed:
                offered.setdefault(each.path, []).append(each)
        for path, those in offered.items():
            self.of.setdefault(path, []).append((lines_of(path, None), those))
        return findings


def _left(found: Iterable[Finding], done: Result) -> Iterator[tuple[Path, str]]:
    """Files with more findings of a rule than are left when the repaired ones are gone."""
    had = Counter((each.path, each.code) for each in found)
    for (path, code), count in Counter((each.path, each.code) for each in done.findings).items():
        fixed = sum(number for (rule, _), number in done.fixed.get(path, {}).items() if rule == code)
        if count > had[path, code] - fixed:
            yield path, f"{code}: {count} findings, before {had[path, code]}, of which {fixed} were repaired"


def _examples(found: Result, root: Path) -> Iterator[str]:
    """Each repair alone, as a difference."""
    for finding in found.findings:
        repair = finding.repair
        if repair is None or repair.applicability is Applicability.DISPLAY or finding.cell is not None:
            continue
        text = Source.read(finding.path).text
        name = f"{root.name}/{finding.path.relative_to(root).as_posix()}"
        yield f"## {finding.code} {repair.applicability.value} {name}:{finding.span.line}: {finding.message}\n"
        sides = (text.splitlines(keepends=True), apply_edits(text, repair.edits).splitlines(keepends=True))
        yield from list(difflib.unified_diff(*sides, n=6))[2:]
        yield "\n"


def _check(root: Path, settings: Settings, staying: Staying, mode: FixMode = FixMode.NONE, unsafe: bool = False) -> Result:
    return driver.check([root], settings, fix=mode, unsafe=unsafe, staying=staying)


def _repositories(folders: Sequence[Path]) -> Iterator[Path]:
    """The folders themselves; where one holds repositories (``owner+name``), those."""
    for folder in folders:
        inside = sorted(each for each in folder.iterdir() if each.is_dir() and "+" in each.name)
        yield from inside or [folder]


def _copy(repository: Path, target: Path) -> None:
    """What can be repaired, and what says what is left out."""
    for folder, names, files in os.walk(repository):
        names[:] = [each for each in names if each != ".git"]
        for name in files:
            source = Path(folder) / name
            if (name.endswith(_KEPT) or name == ".gitignore") and not source.is_symlink():
                copy = target / source.relative_to(repository)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy)


def _bytes(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
