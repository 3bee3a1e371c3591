"""What is said of the examples on pages, of each expectation case and of other small programs: message, place and reasons.

``python -m tests.said`` writes it anew, to be read.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from tests.expectations import SIDES, case_id, copy_alone, projects
from tests.mpi_suite.generated import Case, cases
from tests.oracle.program import from_text
from trainlint import check_paths
from trainlint.app.dev import catalogue, pages
from trainlint.app.dev.pages import RUNNABLE, parse_page
from trainlint.finding import Finding

FOLDER = Path(__file__).parent / "said"
CASES = FOLDER / "cases"
"""What is said of expectation cases: a file for each rule's folder, in it a part for each case."""

PROGRAMS = FOLDER / "programs"
"""What is said of programs that other tests run or analyse: a file for each of their folders."""

_PROGRAMS = {
    "fuzz": "tests/fuzz/found/*.py",
    "mpi_suite": "tests/mpi_suite/programs/*/*.py",
    "oracle": "tests/oracle/cases/*.py",
    "oracle_open": "tests/oracle/open/*.py",
    "samples": "sample_repos/*",
    "torchfix": "tests/parity/torchfix/*.py",
    "witness": "tests/witness/programs/**/*.py",
}
_HEAD = "## "
_TOGETHER = 10
"""So many of the programs made from tables are analysed at once, each of which takes hundredths of a second."""


def page_files() -> list[Path]:
    """All pages with an example that can be run."""
    return [path for path in pages.pages_of(catalogue.pages_folder()) if path.stem[:5] not in pages.UNSHOWN]


def said(page: Path) -> str:
    """A finding in a line, its reasons below; lines and columns are 1-based, end columns exclusive."""
    parsed = parse_page(page.read_text(encoding="utf-8"))
    section = parsed.section("Example")
    lines: list[str] = []
    for number, project in enumerate(section.projects() if section is not None else [], 1):
        lines.append(f"# example {number}")
        with tempfile.TemporaryDirectory(prefix="trainlint-said-") as folder:
            root = _written({name: block.text for name, block in project.files.items()}, Path(folder).resolve())
            for found in check_paths([root], select=[parsed.code]):
                where = f"{found.path.relative_to(root).as_posix()}:{'{}:{}-{}:{}'.format(*found.span)}"
                lines += [f"{where} {found.level.value}: {each}" for each in found.message.splitlines()]
                lines += _reasons(root, found)
    return "\n".join(lines) + "\n"


def said_of(root: Path, findings: Iterable[Finding]) -> str:
    """As :func:`said`, of all rules: each finding with its code, and what its repair would write where."""
    lines: list[str] = []
    for found in findings:
        where = f"{found.path.relative_to(root).as_posix()}:{'{}:{}-{}:{}'.format(*found.span)}"
        lines += [f"{where} {found.code} {found.level.value}: {each}" for each in found.message.splitlines()]
        lines += _reasons(root, found)
        edits = found.repair.edits if found.repair is not None else ()
        lines += [f"        {'{}:{}-{}:{}'.format(*each.span)} {each.content!r}" for each in edits]
    return "".join(f"{line}\n" for line in lines)


def _reasons(root: Path, found: Finding) -> Iterator[str]:
    for each in found.related:
        yield f"    {each.path.relative_to(root).as_posix()}:{'{}:{}-{}:{}'.format(*each.span)} {each.message}"
    if found.repair is not None:
        yield f"    {found.repair.applicability.value} repair: {found.repair.message}"


# -- projects, all rules ---------------------------------------------------------------------------------------------------


class Project(NamedTuple):
    """Something that is analysed alone: puts itself into a folder and returns its root; ``kept`` is the file of what is said."""

    kept: Path
    put: Callable[[Path], Path]


def said_of_project(project: Project) -> str:
    """What all rules, also those that are off by default, say of a project."""
    with tempfile.TemporaryDirectory(prefix="trainlint-said-") as folder:
        root = project.put(Path(folder).resolve())
        return said_of(root, check_paths([root], select=["ALL"]))


@cache
def kept_projects() -> dict[str, Project]:
    """All projects by name: ``TL101/name``, ``witness/name``."""
    found = {case_id(each): Project(CASES / f"{each.parent.name}.txt", partial(copy_alone, each)) for each in projects()}
    for each in projects(SIDES):
        found[f"sides/{each.parent.name}.{each.stem}"] = Project(PROGRAMS / "sides.txt", partial(copy_alone, each))
    top = Path(__file__).resolve().parents[1]
    for name, pattern in _PROGRAMS.items():
        above = len(Path(pattern.partition("*")[0]).parts)
        for each in sorted(top.glob(pattern)):
            within = each.relative_to(top).with_suffix("").parts[above:]
            put = partial(_program if pattern.startswith("tests/oracle") else copy_alone, each)
            found[f"{name}/{'.'.join(within)}"] = Project(PROGRAMS / f"{name}.txt", put)
    for page in page_files():
        parsed = parse_page(page.read_text(encoding="utf-8"))
        for title in sorted(RUNNABLE):
            section = parsed.section(title)
            for number, shown in enumerate(section.projects() if section is not None else [], 1):
                texts = {name: block.text for name, block in shown.files.items()}
                found[f"pages/{parsed.code} {title} {number}"] = Project(PROGRAMS / "pages.txt", partial(_written, texts))
    by_group: dict[str, list[Case]] = {}
    for case in cases():
        by_group.setdefault(case.group, []).append(case)
    for group, several in by_group.items():
        for start in range(0, len(several), _TOGETHER):
            put = partial(_cases, several[start : start + _TOGETHER])
            found[f"mpi_cases/{group}-{several[start].name}"] = Project(PROGRAMS / "mpi_cases.txt", put)
    return found


def _written(texts: Mapping[str, str], folder: Path) -> Path:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder


def _program(path: Path, folder: Path) -> Path:
    from_text(path.read_text(encoding="utf-8")).write(folder)
    return folder


def _cases(several: Iterable[Case], folder: Path) -> Path:
    for each in several:
        (folder / f"{each.name}.py").write_text(each.text, encoding="utf-8", newline="\n")
    return folder


@cache
def kept(path: Path) -> dict[str, str]:
    """What a file keeps, by the name of the case; an empty text where nothing is said."""
    parts = ("\n" + _written_out(path.read_text(encoding="utf-8"))).split(f"\n{_HEAD}")[1:]
    named = (part.partition("\n") for part in parts)
    return {name: text if not text or text.endswith("\n") else f"{text}\n" for name, _, text in named}


_SENTENCE = re.compile(r"(?m)^(?P<place> *\S+:\d+:\d+-\d+:\d+ (?:TL\d{3} \w+: )?|    \w+ repair: )(?P<text>.{40,})$")
_REPEATED = re.compile(r"(?m)^(?P<place> *\S+:\d+:\d+-\d+:\d+ (?:TL\d{3} \w+: )?|    \w+ repair: )§(?P<number>\d+)$")


def _shortened(text: str) -> str:
    """A file in which sentences that are said several times stand once, at its beginning: ``§3`` is the third of them."""
    times = Counter(each["text"] for each in _SENTENCE.finditer(text))
    numbers = {sentence: number for number, sentence in enumerate((each for each in times if times[each] > 1), 1)}

    def short(found: re.Match[str]) -> str:
        number = numbers.get(found["text"])
        return found[0] if number is None else f"{found['place']}§{number}"

    listed = "".join(f"§{number} {sentence}\n" for sentence, number in numbers.items())
    return listed + _SENTENCE.sub(short, text)


def _written_out(text: str) -> str:
    lines = text.split("\n")
    count = next((number for number, line in enumerate(lines) if not line.startswith("§")), 0)
    sentences = [line.partition(" ")[2] for line in lines[:count]]
    return _REPEATED.sub(lambda found: found["place"] + sentences[int(found["number"]) - 1], "\n".join(lines[count:]))


def main() -> None:
    """Write what is said today."""
    for folder in (CASES, PROGRAMS):
        folder.mkdir(parents=True, exist_ok=True)
    for page in page_files():
        (FOLDER / f"{page.stem[:5]}.txt").write_text(said(page), encoding="utf-8", newline="\n")
    files: dict[Path, list[str]] = {}
    for name, project in kept_projects().items():
        files.setdefault(project.kept, []).append(f"{_HEAD}{name.partition('/')[2]}\n{said_of_project(project)}")
    for path, parts in files.items():
        text = "".join(parts)
        path.write_text(_shortened(text), encoding="utf-8", newline="\n")
        assert _written_out(path.read_text(encoding="utf-8")) == text, path


if __name__ == "__main__":
    main()
