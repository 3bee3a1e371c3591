"""What can kill a mutant: single tests that run in this process, each with a name, and which lines of trainlint each runs."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutation.sampling import PARTS, ROOT

Check = Callable[[], bool]
"""Runs a test; whether it passed."""

_FOLDERS = ("tests/ir", "tests/facts", "tests/spmd", "tests/rules", "tests/oracle/test_cases.py")
"""Tests that are run by pytest; the random programs among them are left out: those that are chosen are ``program/NUMBER``."""
_OF_RANKS = ("TL10", "TL11", "TL12", "mpi_", "oracle")
"""How the names of projects begin that are about what ranks do."""
_TWICE, _TOGETHER = 0.1, 1.0
"""Seconds that an expectation case takes twice in one file, and all cases of a rule side by side."""


class Unit(NamedTuple):
    """One test: ``page/TL101``, ``expect/TL101/name``, ``program/40012``… or the id that pytest gives it; seconds it takes."""

    name: str
    seconds: float

    def belongs_to(self, path: str) -> bool:
        """Whether this is a test of the part of trainlint that a module is in, if it runs a line of it."""
        part = path.split("/")[1]
        kind, _, rest = self.name.replace("/sides/", "/").partition("/")
        if part == "rules":
            return rest.startswith(Path(path).name[:5].upper()) or self.name.startswith("tests/rules")
        if part == "ir":
            return self.name.startswith(("tests/ir", "page/"))
        if part == "spmd":
            return kind == "program" or self.name.startswith(("tests/spmd", "tests/oracle")) or rest.startswith(_OF_RANKS)
        return self.name.startswith("tests/facts") or kind in {"page", "expect", "twice", "together"}


def names() -> list[str]:
    """The tests that are measured and are not run by pytest, by name: pages, expectations and programs."""
    from tests import said
    from tests.oracle import chosen
    from trainlint.app.dev import catalogue, pages

    found = [f"page/{path.name[:5]}" for path in pages.pages_of(catalogue.pages_folder())]
    found += [f"expect/{each}" for each in said.kept_projects()]
    return [*found, *(f"program/{each.seed}" for each in chosen.read())]


def repairs_of(code: str) -> list[Unit]:
    """The tests of what a rule's repair makes of its expectations: they run the rule's module, and take long."""
    from tests.expectations import case_id, projects

    mine = [each for each in projects() if each.parent.name == code and not each.name.startswith("silent_")]
    return [Unit(f"repair/{case_id(each)}", 5.0) for each in mine]


def check_of(name: str) -> Check:
    """The test of this name, which pytest does not run."""
    kind, _, rest = name.partition("/")
    checks = {
        "page": _page,
        "expect": _expected,
        "program": _program,
        "repair": _repaired,
        "together": _together,
        "twice": _twice,
    }
    return checks[kind](rest)


def _page(code: str) -> Check:
    from tests import said
    from trainlint.app.dev import catalogue, pages

    (path,) = pages.pages_of(catalogue.pages_folder(), [code])
    kept = said.FOLDER / f"{code}.txt"
    return lambda: not pages.run_page(path) and (not kept.exists() or said.said(path) == kept.read_text(encoding="utf-8"))


def _expected(name: str) -> Check:
    """What is said of an expectation case (or another project) is kept, which implies that it is reported as expected."""
    from tests import said

    project = said.kept_projects()[name]
    known = said.kept(project.kept)[name.partition("/")[2]]
    return lambda: said.said_of_project(project) == known


def _program(seed: str) -> Check:
    from tests.oracle import chosen
    from tests.oracle.generator import generate

    (known,) = (each for each in chosen.read() if each.seed == int(seed))
    program = generate(known.seed)
    return lambda: chosen.said_of(program) == known.said


def _together(code: str) -> Check:
    from tests import together

    return lambda: not together.side_by_side(code)


def _twice(case: str) -> Check:
    from tests import together

    return lambda: together.said_twice(case)


def _repaired(case: str) -> Check:
    from tests import test_fixes

    project = _project(case)

    def check() -> bool:
        files = test_fixes.expected(project)
        for test in (
            test_fixes.test_repairs_cure_and_leave_the_rest_alone,
            test_fixes.test_shown_repairs_cure_when_they_are_made_by_hand,
        ):
            with tempfile.TemporaryDirectory() as folder:
                test(project.parent.name, files, Path(folder).resolve())
        return True

    return check


def _project(case: str) -> Path:
    path = ROOT / "tests/expect" / case
    return path if path.is_dir() else path.with_name(path.name + ".py")


def by_pytest(ids: Sequence[str]) -> bool:
    """Whether these tests pass; the first that fails ends it."""
    return pytest.main([*_quiet(), "-x", *(str(ROOT / each) for each in ids)]) == pytest.ExitCode.OK


def _quiet() -> list[str]:
    return [
        "-q",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=-p no:asyncio -p no:pytest-lsp --import-mode=importlib",
        f"--rootdir={ROOT}",
    ]


class _Watch:
    """Tells the measurement which test of pytest's begins, and takes its time."""

    def __init__(self, begin: Callable[[str], None], known: Container[str]) -> None:
        self.begin = begin
        self.known = known
        self.seconds: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [each for each in items if each.nodeid not in self.known and "test_random_programs" not in each.nodeid]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        self.begin(item.nodeid)
        start = time.perf_counter()
        result = yield
        self.seconds[item.nodeid] = time.perf_counter() - start
        return result


def measure(folder: Path) -> None:
    """Run every test that is not known there once under coverage; keep which lines it runs, and how many seconds it takes."""
    import coverage

    seconds: dict[str, float] = {}
    kept = folder / "units.json"
    if kept.exists():
        seconds = json.loads(kept.read_text(encoding="utf-8"))
    source = [str(ROOT / "trainlint" / part) for part in PARTS]
    seen = coverage.Coverage(data_file=str(folder / "lines"), source=source, config_file=False)
    if seconds:
        seen.load()
    seen.start()
    for name in [each for each in names() if each not in seconds]:
        check = check_of(name)
        seen.switch_context(name)
        start = time.perf_counter()
        if not check():
            raise AssertionError(f"{name} fails without any mutation")
        seconds[name] = time.perf_counter() - start
    watch = _Watch(seen.switch_context, seconds)
    passed = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # the latter where all are known
    if pytest.main([*_quiet(), *(str(ROOT / each) for each in _FOLDERS)], plugins=[watch]) not in passed:
        raise AssertionError("a test fails without any mutation")
    seen.stop()
    seen.save()
    kept.write_text(json.dumps({**seconds, **watch.seconds}), encoding="utf-8")


def _again(units: Sequence[Unit]) -> list[Unit]:
    """The tests, and those that run the same once more beside others. They need not be measured."""
    from tests import together

    cases = [unit.name.partition("/")[2] for unit in units if unit.name.startswith("expect/TL")]
    folders = dict.fromkeys(case.partition("/")[0] for case in cases)
    found = [Unit(f"twice/{case}", _TWICE) for case in cases if case in together.files() and case not in together.ONCE]
    return [*units, *found, *(Unit(f"together/{code}", _TOGETHER) for code in folders if code in together.folders())]


class Measured:
    """What :func:`measure` has found."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self._data = coverage.CoverageData(str(folder / "lines"))
        self._data.read()
        self._units = {
            name: Unit(name, seconds) for name, seconds in json.loads((folder / "units.json").read_text(encoding="utf-8")).items()
        }

    def running(self, path: str, lines: Iterable[int]) -> list[Unit]:
        """The tests that run one of these lines (1-based) of a file: first those that run the most of it."""
        contexts = self._data.contexts_by_lineno(str(ROOT / path))
        found = {name for line in lines for name in contexts.get(line, ())}
        share = Counter(name for names_there in contexts.values() for name in names_there)
        units = [self._units[name] for name in sorted(found, key=lambda each: (-share[each], each)) if name in self._units]
        units = _again(units)
        return units + (repairs_of(Path(path).name[:5].upper()) if units and path.split("/")[1] == "rules" else [])
