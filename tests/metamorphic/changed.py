"""Pages, expectation cases and sample repositories after changes that change nothing: what is reported then, and was before.

``python -m tests.metamorphic.changed`` checks all of them and writes ``changes.json`` and ``CHANGES.md``. With patterns of names
(``'TL301/*'``) it prints what differs there and writes nothing; ``--show PROGRAM CHANGE`` prints the program as it is changed and
what is said of it.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from tests import said
from tests.expectations import placed
from tests.metamorphic import changes
from tests.metamorphic.drafts import Program, read, text_of, write
from trainlint.app.engine import driver, workers
from trainlint.app.engine.project import options_of
from trainlint.codes import CODES, FAMILIES
from trainlint.config import Overrides, find_settings
from trainlint.finding import Finding
from trainlint.knowledge import load
from trainlint.source.discover import discover

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent
KEPT, PAGE, REAL = FOLDER / "changes.json", FOLDER / "CHANGES.md", FOLDER / "real.toml"
TURNS = 40
"""Of so many programs one is checked by two processes."""

Look = Callable[[Path, frozenset[str]], Iterable[Finding]]
"""A way to check a folder that holds nothing but a program, knowing which codes are found in it."""


class Way(NamedTuple):
    """One column of the table: a change of the program, or another way to check it as it is."""

    name: str
    says: str
    make: Callable[[Program], Program | None]
    look: Look
    turns: int = 1
    """Of so many programs one is looked at."""


def plainly(root: Path, _: frozenset[str]) -> Iterable[Finding]:
    """What all rules say."""
    return placed([root], select=["ALL"])


def _from_above(root: Path, _: frozenset[str]) -> Iterable[Finding]:
    return placed([root.parent], select=["ALL"])


def _file_by_file(root: Path, _: frozenset[str]) -> Iterable[Finding]:
    found = discover([root], options_of(find_settings(root, Overrides(flags={"select": ["ALL"]}), isolated=True)))
    return placed([*found.files, *found.documents][::-1], select=["ALL"])


def _by_two(root: Path, _: frozenset[str]) -> Iterable[Finding]:
    settings = find_settings(root, Overrides(flags={"select": ["ALL"]}), isolated=True)
    with patch.object(workers, "_PARALLEL_BYTES", 1), patch.object(workers, "_FEWEST_WORKERS", 2):
        return driver.check([root], replace(settings, jobs=2)).findings


def _one_by_one(root: Path, codes: frozenset[str]) -> Iterator[Finding]:
    for code in sorted(codes):
        yield from placed([root], select=[code])


def _as_it_is(program: Program) -> Program | None:
    return program


def _if_several(program: Program) -> Program | None:
    return program if len(program) > 1 else None


WAYS = (
    *(Way(each.name, each.says, each.make, plainly) for each in changes.CHANGES),
    Way("from the folder above", "The folder above is checked, in which nothing else is.", _as_it_is, _from_above),
    Way("files in another order", "The files are given one by one, the last first.", _if_several, _file_by_file),
    Way("-j 2", f"Two processes share the work (one program of {TURNS}).", _as_it_is, _by_two, TURNS),
    Way("--select CODE", "Each rule that finds something is asked alone.", _as_it_is, _one_by_one),
)


class Outcome(NamedTuple):
    """What a change did to what is said of a program: findings before by family, those that are gone and that are new."""

    before: Counter[str]
    lost: tuple[str, ...]
    new: tuple[str, ...]


@cache
def programs() -> tuple[str, ...]:
    """The names of all programs."""
    return tuple(name for name in said.kept_projects() if name.startswith(("TL", "pages/", "samples/")))


_SAID = re.compile(r"(?m)^(\S.*?):(\d+):\d+-\d+:\d+ (TL\d{3}) ")


def kept_before(name: str) -> frozenset[str]:
    """What is said of a program as it is, in the form of :func:`_place`, as tests/said keeps it and its test compares."""
    text = said.kept(said.kept_projects()[name].kept)[name.partition("/")[2]]
    return frozenset(f"{path}:{line} {code}" for path, line, code in _SAID.findall(text))


def outcomes(name: str, ways: Sequence[Way] = WAYS, before: frozenset[str] | None = None) -> dict[str, Outcome | None]:
    """By way what it did to a program, None where it does not apply; ways that are not for this program are left out.

    ``before``: what is said of it as it is, where that is known.
    """
    with tempfile.TemporaryDirectory(prefix="trainlint-changed-") as folder:
        here = Path(folder).resolve()
        program = read(said.kept_projects()[name].put(here / "as it was"))
        if before is None:
            before = _said(here / "0", program, plainly)
        codes = frozenset(place.rpartition(" ")[2] for place in before)
        families = Counter(family(place) for place in before)
        made: dict[str, Outcome | None] = {}
        for number, way in enumerate(ways, 1):
            if programs().index(name) % way.turns:
                continue
            changed = way.make(program)
            after = None if changed is None else _said(here / str(number), changed, way.look, codes)
            lost_and_new = None if after is None else (tuple(sorted(before - after)), tuple(sorted(after - before)))
            made[way.name] = None if lost_and_new is None else Outcome(families, *lost_and_new)
        return made


def _said(folder: Path, program: Program, look: Look, codes: frozenset[str] = frozenset()) -> frozenset[str]:
    """``file:line code`` of what is said of a program, with the places that its lines had before it was changed.

    Of a line that the change has written it is ``file:+line code``, with the place in the changed file.
    """
    root = folder / "project"
    write(program, root)
    return frozenset(_place(program, root, finding) for finding in look(root, codes))


def _place(program: Program, root: Path, finding: Finding) -> str:
    path, line = finding.path.resolve().relative_to(root).as_posix(), finding.span.line
    lines = program.get(path, ())
    origin = lines[line - 1].origin if line <= len(lines) else None
    return f"{path}:+{line} {finding.code}" if origin is None else f"{origin.path}:{origin.line} {finding.code}"


def family(place: str) -> str:
    """The family of the rule of a finding."""
    code = place.rpartition(" ")[2]
    return CODES[code].family


# -- changes that are real ------------------------------------------------------------------------------------------------------


class Real(NamedTuple):
    """Why something that changes do to what is said is right: of which changes, rules and programs (patterns), lost or new."""

    reason: str
    changes: tuple[str, ...]
    codes: tuple[str, ...]
    programs: tuple[str, ...]
    kinds: tuple[str, ...]

    def covers(self, change: str, program: str, place: str, kind: str) -> bool:
        """Whether a finding is meant that a change has made "lost" or "new"."""
        asked = ((self.changes, change), (self.codes, place.rpartition(" ")[2]), (self.programs, program), (self.kinds, kind))
        return all(any(fnmatchcase(given, each) for each in patterns) for patterns, given in asked)


@cache
def reals() -> tuple[Real, ...]:
    """What ``real.toml`` lists."""
    table = tomllib.loads(REAL.read_text(encoding="utf-8"))
    return tuple(
        Real(
            each["reason"],
            tuple(each["changes"]),
            tuple(each.get("codes", ["*"])),
            tuple(each.get("programs", ["*"])),
            tuple(each.get("kinds", ["lost", "new"])),
        )
        for each in table["real"]
    )


# -- all programs ---------------------------------------------------------------------------------------------------------------


class Total(NamedTuple):
    """What a change did to all programs. Findings are ``program: file:line code``."""

    programs: int
    without: int
    before: Mapping[str, int]
    lost: Sequence[str]
    new: Sequence[str]
    real: Sequence[str]

    def as_data(self) -> dict[str, object]:
        """As it is kept."""
        return {**self._asdict(), "before": dict(self.before)}


def total(way: str, given: Mapping[str, Mapping[str, Outcome | None]]) -> Total:
    """The outcomes of a way, by program, in one."""
    looked = [(name, made[way]) for name, made in given.items() if way in made]
    told = [(name, outcome) for name, outcome in looked if outcome is not None]
    before = sum((outcome.before for _, outcome in told), Counter[str]())
    in_order = {name: before[name] for name in FAMILIES if before[name]}
    different = [
        f"{name}: {place} {kind}"
        for name, outcome in told
        for kind, places in (("lost", outcome.lost), ("new", outcome.new))
        for place in places
    ]
    return Total(len(told), len(looked) - len(told), in_order, **_judged(way, different))


def _judged(way: str, different: Iterable[str]) -> dict[str, list[str]]:
    """Findings that are lost or new (``program: file:line code kind``), apart from those for which that is right."""
    lists: dict[str, list[str]] = {"lost": [], "new": [], "real": []}
    for line in different:
        if any(each.covers(way, *parts(line)) for each in reals()):
            lists["real"].append(line)
        else:
            finding, _, kind = line.rpartition(" ")
            lists[kind].append(finding)
    return lists


def judged_again(way: str, one: Total) -> Total:
    """What is kept, after a change of ``real.toml``."""
    different = sorted([*(f"{each} lost" for each in one.lost), *(f"{each} new" for each in one.new), *one.real])
    order = {name: number for number, name in enumerate(programs())}
    different.sort(key=lambda line: (order[parts(line)[0]], parts(line)[2]))
    lists = _judged(way, different)
    return one._replace(lost=lists["lost"], new=lists["new"], real=lists["real"])


def prepared() -> None:
    """In a process that only checks: tables are read once, also where a checkout has not prepared them."""
    load.shipped = cache(load.shipped)


def run(names: Sequence[str], ways: Sequence[Way] = WAYS, processes: int = 2) -> dict[str, dict[str, Outcome | None]]:
    """The outcomes by program."""
    with ProcessPoolExecutor(processes, initializer=prepared) as pool:
        made = pool.map(_outcomes, [(name, [way.name for way in ways]) for name in names], chunksize=8)
        return dict(zip(names, made, strict=True))


def _outcomes(asked: tuple[str, list[str]]) -> dict[str, Outcome | None]:
    name, ways = asked
    return outcomes(name, [way for way in WAYS if way.name in ways])


@cache
def kept() -> dict[str, Total]:
    """What is kept, by change."""
    return {name: Total(**data) for name, data in json.loads(KEPT.read_text(encoding="utf-8")).items()}


def write_down(totals: Mapping[str, Total]) -> None:
    """Write what is kept, a finding in a line, and the page."""
    data = {name: each.as_data() for name, each in totals.items()}
    KEPT.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    PAGE.write_text(page(totals), encoding="utf-8", newline="\n")


_HEAD = """# Changes that change nothing

Every block of every page that can be run, every case in `tests/expect` and every sample repository ({count} programs) is changed
in {changes} ways after which it does what it did before. What all rules reported must be reported then, on the same lines, and
nothing else. `python -m tests.metamorphic.changed` writes this page and `changes.json`, where each finding that is lost or new
is listed; a test compares. `python -m tests.metamorphic.changed --show PROGRAM CHANGE` shows one. That a change changes nothing
is shown by running a program before and after it (`tests/metamorphic/test_changes.py`). All of it takes about eleven minutes of
CPU in two processes; `--change NAME` does one change anew, `--reasons` only what `real.toml` says.

*Before*: findings in the programs to which the change applies. *Real*: lost or new for a reason that is given below; these are in
neither of the two columns before. *Does not apply*: there is no loop, no class that is constructed, no second file, or the text
cannot be changed so.

The first table, at commit 600ee6a with 3,753 findings in 1,836 programs, had 3,722 lost and 307 new: 1,350 of a constructor by a
constant name, 283 beside unit tests, 184 beside `timer.step()`, which the engine knows now.

"""


def page(totals: Mapping[str, Total]) -> str:
    """The text of ``CHANGES.md``."""
    ways = {way.name: way for way in WAYS}
    rows: list[list[object]] = [["change", "before", "lost", "", "new", "real", "programs", "does not apply"]]
    rows += [
        [name, *_figures(sum(each.before.values()), len(each.lost)), len(each.new), len(each.real), each.programs, each.without]
        for name, each in totals.items()
    ]
    counted = [[family(place) for place in each.lost] for each in totals.values()]
    met = [name for name in FAMILIES if any(name in each.before for each in totals.values())]
    lost: list[list[object]] = [["lost", *met]]
    lost += [
        [name, *(f"{families.count(one)} of {each.before.get(one, 0)}" for one in met)]
        for (name, each), families in zip(totals.items(), counted, strict=True)
    ]
    new: list[list[object]] = [["new", *met]]
    new += [[name, *([family(place) for place in each.new].count(one) or "" for one in met)] for name, each in totals.items()]
    parts = [
        _HEAD.format(count=f"{len(programs()):,}", changes=len(totals)),
        _table(rows),
        "\n## What they are\n\n",
        *(f"- **{name}**: {ways[name].says}\n" for name in totals),
        "\n## By family of rules\n\n",
        _table(lost),
        "\n",
        _table(new),
        "\n## Changes that are real\n\nWhat is lost or new here ought to be: the change does more than to change nothing.\n\n",
        *(_meant(each, totals) for each in reals()),
    ]
    return "".join(parts)


def _figures(before: int, lost: int) -> tuple[str, int, str]:
    return f"{before:,}", lost, f"{100 * lost / before:.1f} %" if before else ""


def _meant(real: Real, totals: Mapping[str, Total]) -> str:
    """An entry of the list of real changes, with the number of findings that it is about."""
    count = sum(real.covers(way, *parts(line)) for way, each in totals.items() for line in each.real)
    codes = "" if real.codes == ("*",) else f" {', '.join(real.codes)}"
    kinds = " and ".join(real.kinds)
    programs = "" if real.programs == ("*",) else f", in {len(real.programs)} program{'s'[: len(real.programs) > 1]}"
    return f"- **{', '.join(real.changes)}**:{codes} {kinds}{programs} ({count}). {real.reason}\n"


def parts(line: str) -> tuple[str, str, str]:
    """Program, place and kind of a line of what is real."""
    rest, _, kind = line.rpartition(" ")
    name, _, place = rest.partition(": ")
    return name, place, kind


def _table(rows: Iterable[Sequence[object]]) -> str:
    head, *others = ([str(each).replace("|", "\\|") for each in row] for row in rows)
    lines = [head, ["---", *("--:" for _ in head[1:])], *others]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


# -- the command ----------------------------------------------------------------------------------------------------------------


def show(name: str, change: str) -> str:
    """A program as a change makes it, as a difference, and what is said of it before and after."""
    way = next(each for each in WAYS if each.name == change)
    program = read_program(name)
    changed = way.make(program)
    if changed is None:
        return f"{change} does not apply to {name}\n"
    parts = []
    for path in sorted({*program, *changed}):
        old, new = (text_of(each.get(path, ())).splitlines() for each in (program, changed))
        lines = list(difflib.unified_diff(old, new, path, f"{path}, changed", n=999, lineterm=""))
        parts += [f"{line}\n" for line in lines or [f"--- {path} is the same"]]
    with tempfile.TemporaryDirectory(prefix="trainlint-changed-") as folder:
        here = Path(folder).resolve()
        codes: frozenset[str] = frozenset()
        for title, each, look in (("before", program, plainly), ("after", changed, way.look)):
            root = here / title / "project"
            write(each, root)
            found = [(_place(each, root, finding), finding) for finding in look(root, codes)]
            codes = frozenset(finding.code for _, finding in found)
            parts += [f"\n{title}:\n", *(f"  {place} {finding.message}\n" for place, finding in found)]
    made = outcomes(name, [way])[change]
    assert made is not None
    return "".join([*parts, "\n", *(f"LOST {each}\n" for each in made.lost), *(f"NEW {each}\n" for each in made.new)])


def read_program(name: str) -> Program:
    """A program by its name."""
    with tempfile.TemporaryDirectory(prefix="trainlint-changed-") as folder:
        return read(said.kept_projects()[name].put(Path(folder).resolve()))


def main() -> int:
    """Check the programs, or show one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="patterns of names of programs; nothing is written then")
    parser.add_argument("--change", action="append", help="only this change (a part of its name will do); others are kept")
    parser.add_argument("--reasons", action="store_true", help="check nothing: only file what is kept by real.toml anew")
    parser.add_argument("--show", nargs=2, metavar=("PROGRAM", "CHANGE"))
    asked = parser.parse_args()
    if asked.show:
        print(show(asked.show[0], next(way.name for way in WAYS if asked.show[1] in way.name)))
        return 0
    if asked.reasons:
        write_down({name: judged_again(name, each) for name, each in kept().items()})
        return 0
    ways = [way for way in WAYS if not asked.change or any(each in way.name for each in asked.change)]
    names = [name for name in programs() if not asked.names or any(fnmatchcase(name, each) for each in asked.names)]
    given = run(names, ways)
    totals = {way.name: total(way.name, given) for way in ways}
    for name, each in totals.items():
        print(f"{name}: {sum(each.before.values())} before, {len(each.lost)} lost, {len(each.new)} new, {len(each.real)} real")
        for kind, several in (("lost", each.lost), ("new", each.new), ("real", each.real)) if asked.names else ():
            print(*(f"  {kind} {one}\n" for one in several), sep="", end="")
    if not asked.names:
        others = kept() if asked.change and KEPT.exists() else {}
        merged = {**others, **totals}
        write_down({way.name: merged[way.name] for way in WAYS if way.name in merged})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
