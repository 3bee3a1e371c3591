"""Runs tests against one mutant, in a child of a process that has everything imported already.

Where the mutation lies within functions, their code is exchanged in the child; elsewhere (a constant, a default, a class) the
child forgets all of trainlint and imports it anew, the mutated module from its changed text.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import importlib.abc
import importlib.machinery
import os
import pkgutil
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType

from tests.mutation.sampling import ROOT, Mutant, changes_code, mutated
from tests.mutation.units import Measured, Unit, by_pytest, check_of

MOST, AGAIN = 40.0, 120.0
"""Tests that would take more seconds than this, without any mutation, are not all run: the last ones are left out.

The second number is for mutants that have survived and are judged again.
"""

_FIRST = 8
"""So many tests, those that run the most of the file, come before the short ones."""

_MEMORY = 4 << 30
_ANALYSED = (
    "trainlint.rules",
    "trainlint.ir",
    "trainlint.program",
    "trainlint.flow",
    "trainlint.domains",
    "trainlint.jobs",
    "trainlint.spmd",
)
_FUNCTIONS: dict[str, list[FunctionType]] = {}
"""All functions that are mutated, by the file they are written in: wherever one is held, it is one of these."""
_CACHES: list[functools._lru_cache_wrapper[object]] = []


@dataclass(frozen=True)
class Outcome:
    """``killed``, ``timeout`` (it ran for ever, or took all memory), ``survived``, ``not run`` by any test; by which test it was.

    ``no mutant`` is what changes nothing that runs; it is not counted.
    """

    outcome: str
    by: str = ""
    own: bool = True
    tests: int = 0
    seconds: float = 0.0


def warm_up() -> None:
    """Import all of trainlint, so that children need not, and put it where no collection of garbage copies it."""
    import tests.oracle.chosen
    import tests.said
    import tests.test_fixes
    import tests.together
    import trainlint

    for module in pkgutil.walk_packages(trainlint.__path__, "trainlint."):
        if module.name.startswith(
            (*_ANALYSED, "trainlint.edits", "trainlint.app.engine", "trainlint.app.dev", "trainlint.source")
        ):
            importlib.import_module(module.name)
    check_of("page/TL101")()
    tests.said.kept_projects()
    gc.collect()
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).startswith(_ANALYSED):
            _FUNCTIONS.setdefault(each.__code__.co_filename, []).append(each)
        elif isinstance(each, functools._lru_cache_wrapper) and str(each.__module__).startswith(_ANALYSED):
            _CACHES.append(each)
    gc.freeze()


def judge(mutant: Mutant, measured: Measured, most: float = MOST) -> Outcome:
    """What becomes of a mutant: the tests of its own part are asked first, then the others that run its line."""
    start = time.monotonic()
    path = ROOT / mutant.path
    text = path.read_text(encoding="utf-8")
    after = mutated(mutant)
    if not changes_code(text, after):
        return Outcome("no mutant")
    lines, within = _statement(text, mutant.line)
    whole = range(1, text.count("\n") + 1)  # what runs at the import is seen of the first test only
    running = measured.running(mutant.path, [mutant.line] if within else whole) or measured.running(mutant.path, lines)
    if not running:
        return Outcome("not run", seconds=time.monotonic() - start)
    chosen = _chosen(running, mutant, most)
    outcome, by = _in_child(mutant, text, after, chosen)
    own = next((unit.belongs_to(mutant.path) for unit in chosen if unit.name == by), True)
    return Outcome(outcome, by, own, len(chosen), round(time.monotonic() - start, 2))


def _chosen(running: Sequence[Unit], mutant: Mutant, most: float) -> list[Unit]:
    """The tests in their order: the part's own before others; of each, those that run the most of the file, then short ones."""
    first, rest = running[:_FIRST], sorted(running[_FIRST:], key=lambda unit: unit.seconds)
    order = sorted([*first, *rest], key=lambda unit: not unit.belongs_to(mutant.path))
    chosen: list[Unit] = []
    total = 0.0
    for unit in order:
        if not chosen or total + unit.seconds <= most:
            chosen.append(unit)
            total += unit.seconds
    return chosen


def _statement(text: str, line: int) -> tuple[range, bool]:
    """The lines of the smallest statement (of a compound one: of its head) around a line, and whether a function holds it."""
    found, within = range(line, line + 1), False
    for node in ast.walk(ast.parse(text)):  # outer ones come first
        if not isinstance(node, ast.stmt) or not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        body = getattr(node, "body", None)
        end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
        if line <= end:
            found = range(node.lineno, end + 1)
        elif isinstance(node, ast.FunctionDef):
            within = True
    return found, within


# -- the child ------------------------------------------------------------------------------------------------------------


def _in_child(mutant: Mutant, before: str, after: str, chosen: Sequence[Unit]) -> tuple[str, str]:
    """Run the tests on the mutant until one fails: the outcome, and which it was."""
    limit = 20 + 8 * sum(unit.seconds for unit in chosen)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(mutant, before, after, chosen, writing, int(limit))
    os.close(writing)
    said = _heard(reading, time.monotonic() + 4 * limit)
    os.kill(child, signal.SIGKILL)
    _, status, _ = os.wait4(child, 0)
    os.close(reading)
    begun = said.splitlines()
    if begun and begun[-1] == "survived":
        return "survived", ""
    if begun and begun[-1] == "killed":
        return "killed", begun[-2] if len(begun) > 1 else "its import"
    return "timeout", (begun[-1] if begun else f"its import, {status}")


def _heard(reading: int, until: float) -> str:
    """What the child says before it ends or its time is over."""
    said = b""
    while (left := until - time.monotonic()) > 0:
        ready, _, _ = select.select([reading], [], [], left)
        piece = os.read(reading, 65536) if ready else b""
        said += piece
        if not piece or said.endswith((b"killed\n", b"survived\n")):
            break
    return said.decode()


def _child(mutant: Mutant, before: str, after: str, chosen: Sequence[Unit], writing: int, limit: int) -> None:
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    os.environ["TRAINLINT_RAISE"] = "1"
    passed = False
    try:
        _become(mutant, before, after)
        passed = all(_passes(chosen, writing))
    except BaseException:  # noqa: BLE001, S110 - whatever it was, a test would have failed by it
        pass
    os.write(writing, b"survived\n" if passed else b"killed\n")
    os._exit(0)


def _passes(chosen: Sequence[Unit], writing: int) -> Iterator[bool]:
    """Whether each test passes, in order; those of pytest at once, and where their turn begins."""
    ids = [unit.name for unit in chosen if unit.name.startswith("tests/")]
    for unit in chosen:
        if unit.name in ids[1:]:
            continue
        os.write(writing, f"{unit.name}\n".encode())
        yield by_pytest(ids) if unit.name in ids else check_of(unit.name)()


def _become(mutant: Mutant, before: str, after: str) -> None:
    """Make this process one that runs the mutant."""
    name = mutant.path.removesuffix(".py").replace("/", ".")
    filename = str(ROOT / mutant.path)
    old, new = (compile(text, filename, "exec", dont_inherit=True) for text in (before, after))
    if _outside_functions(before) == _outside_functions(after) and _exchange(old, new):
        _forget_answers()
    else:
        _import_anew(name, filename, new)


def _outside_functions(text: str) -> str:
    """The module without the bodies of its functions and methods."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = [ast.Pass()]
    return ast.dump(tree)


def _exchange(old: CodeType, new: CodeType) -> bool:
    """Give all functions of a module the code of the mutated text; False where one cannot have it."""
    try:
        codes = {_named(before): after for before, after in zip(_codes(old), _codes(new), strict=True)}
        for function in _FUNCTIONS[old.co_filename]:
            function.__code__ = codes[_named(function.__code__)]
    except (ValueError, KeyError):
        return False  # another number of free variables, or of functions
    return True


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Code and all code within it, in the order of the text (comprehensions and lambdas are kept in place by a mutation)."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _named(code: CodeType) -> tuple[str, tuple[tuple[int | None, ...], ...]]:
    return code.co_qualname, tuple(code.co_positions())[:1]


def _forget_answers() -> None:
    for each in _CACHES:
        each.cache_clear()


def _import_anew(name: str, filename: str, code: CodeType) -> None:
    for each in [each for each in sys.modules if each.startswith(("trainlint", "tests."))]:
        if not each.startswith("tests.mutation"):
            del sys.modules[each]
    sys.meta_path.insert(0, _Instead(name, filename, code))


class _Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the mutated module instead of the real one."""

    def __init__(self, name: str, filename: str, code: CodeType) -> None:
        self.name, self.filename, self.code = name, filename, code

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.filename, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)  # noqa: S102 - our own module, with one change
