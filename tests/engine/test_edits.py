"""After every edit a run that remembers finds exactly what one finds that does not.

Hundreds of seeded edits of whole projects: lines come and go, names change, imports appear, files come, go and move,
comments silence, the configuration changes, and old states come back.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.warm import Looks, check, told

ROOT = Path(__file__).resolve().parents[2]
#: How many edits are made in each project; more by hand: TRAINLINT_EDITS=2000 pytest tests/engine/test_edits.py -m heavy
EDITS = int(os.environ.get("TRAINLINT_EDITS", "15"))
#: How often an old state comes back.
_BACK = 0.12
_COMMENTS = (
    "# trainlint: ignore",
    "# noqa",
    "# a comment",
    "# trainlint: ignore[TL101] so",
    "# noqa: TL201, TL112",
    "# trainlint: uniform",
    "# trainlint: per-rank",
    "# trainlint: collective",
)
_CONFIGURATIONS = (
    "",
    'ignore = ["TL101"]\n',
    'extend-select = ["ALL"]\n',
    '[per-file-ignores]\n"*_clean/*" = ["TL2"]\n',
    '[levels]\nTL301 = "error"\n',
    '[target-versions]\ntorch = ">=1.8"\n',
    "ignore-noqa = true\n",
    '[knowledge.collectives]\n"helpers.finish" = -1\n',
)
_SCRIPTS = ("torch==2.4\n", "torch>=1.9\njax==0.4.30\n", "")
_HELPER = "import torch.distributed as dist\n\n\ndef finish(rank):\n    if rank == 0:\n        dist.barrier()\n"
_CALLER = "from helpers import finish\n\n\ndef main(rank):\n    if rank == 0:\n        finish(0)\n"


class Project:
    """A project, and random edits of it."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)  # noqa: S311
        self.past: list[tuple[Path, str | None]] = []

    def sources(self) -> list[Path]:
        return sorted(self.root.rglob("*.py"))

    def edit(self) -> str:
        """Make one edit; returned is what it was."""
        if self.past and self.random.random() < _BACK:
            path, text = self.random.choice(self.past)
            self.put(path, text)
            return f"back: {path}"
        path = self.random.choice(self.sources())
        change = self.random.choice(_CHANGES)
        change(self, path)
        return f"{change.__name__}: {path}"

    def put(self, path: Path, text: str | None) -> None:
        before = path.read_text(encoding="utf-8") if path.exists() else None
        self.past.append((path, before))
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def lines(self, path: Path, change: Callable[[list[str]], None]) -> None:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        change(lines)
        self.put(path, "".join(lines))

    def at(self, lines: list[str]) -> int:
        return self.random.randrange(len(lines)) if lines else 0


def take_a_line(project: Project, path: Path) -> None:
    def change(lines: list[str]) -> None:
        if lines:
            del lines[project.at(lines)]

    project.lines(path, change)


def double_a_line(project: Project, path: Path) -> None:
    def change(lines: list[str]) -> None:
        if lines:
            at = project.at(lines)
            lines.insert(at, lines[at])

    project.lines(path, change)


def take_a_function(project: Project, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    functions = list(re.finditer(r"^(?:def|class) .*\n(?:(?:[ \t].*)?\n)*", text, re.MULTILINE))
    if functions:
        gone = project.random.choice(functions)
        project.put(path, text[: gone.start()] + text[gone.end() :])


def borrow_a_function(project: Project, path: Path) -> None:
    other = project.random.choice(project.sources()).read_text(encoding="utf-8")
    functions = re.findall(r"^(?:def|class) .*\n(?:(?:[ \t].*)?\n)*", other, re.MULTILINE)
    if functions:
        project.put(path, path.read_text(encoding="utf-8") + "\n\n" + project.random.choice(functions))


def rename(project: Project, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    names = re.findall(r"[A-Za-z_]{4,}", text)
    if names:
        name = project.random.choice(names)
        project.put(path, re.sub(rf"\b{name}\b", project.random.choice((f"{name}_", "main", "model")), text))


def say_something(project: Project, path: Path) -> None:
    def change(lines: list[str]) -> None:
        if lines:
            at = project.at(lines)
            lines[at] = lines[at].rstrip("\n") + "  " + project.random.choice(_COMMENTS) + "\n"

    project.lines(path, change)


def make_room(project: Project, path: Path) -> None:
    project.lines(path, lambda lines: lines.insert(project.at(lines), project.random.choice(("\n", "# so\n", "\n\n\n"))))


def import_another(project: Project, path: Path) -> None:
    other = project.random.choice(project.sources())
    dotted = ".".join(other.relative_to(project.root).with_suffix("").parts).removesuffix(".__init__")
    names = re.findall(r"^(?:def|class) (\w+)", other.read_text(encoding="utf-8"), re.MULTILINE)
    taken = project.random.choice(["*", *names])
    line = project.random.choice((f"from {dotted} import {taken}\n", f"import {dotted}\n", f"from {other.stem} import {taken}\n"))
    project.lines(path, lambda lines: lines.insert(0, line))


def call_another(project: Project, path: Path) -> None:
    names = re.findall(r"^    def (\w+)", project.random.choice(project.sources()).read_text(encoding="utf-8"), re.MULTILINE)
    if names:
        text = f"\n\ndef added(thing, rank):\n    if rank == 0:\n        thing.{project.random.choice(names)}(rank)\n"
        project.put(path, path.read_text(encoding="utf-8") + text)


def take_an_import(project: Project, path: Path) -> None:
    def change(lines: list[str]) -> None:
        found = [at for at, line in enumerate(lines) if line.startswith(("import ", "from "))]
        if found:
            del lines[project.random.choice(found)]

    project.lines(path, change)


def add_a_file(project: Project, path: Path) -> None:
    name = project.random.choice(("helpers.py", "train_more.py", "__init__.py", "utils.py", "torch.py"))
    text = project.random.choice((_HELPER, _CALLER, "", path.read_text(encoding="utf-8")))
    project.put(path.parent / name, text)


def take_a_file(project: Project, path: Path) -> None:
    if len(project.sources()) > 10:
        project.put(path, None)


def move_a_file(project: Project, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    folder = project.random.choice(project.sources()).parent
    project.put(path, None)
    project.put(folder / project.random.choice((path.name, f"moved_{path.name}")), text)


def configure(project: Project, _path: Path) -> None:
    project.put(project.root / "trainlint.toml", project.random.choice(_CONFIGURATIONS))


def require(project: Project, path: Path) -> None:
    project.put(path.parent / "requirements.txt", project.random.choice(_SCRIPTS))


def script(project: Project, path: Path) -> None:
    project.put(path.parent / "run.sh", project.random.choice(("export CUBLAS_WORKSPACE_CONFIG=:4096:8\n", "", "true\n")))


_CHANGES = (
    *(take_a_line, double_a_line, take_a_function, borrow_a_function, borrow_a_function, rename, rename, say_something),
    *(say_something, make_room, make_room, import_another, import_another, call_another, take_an_import),
    *(add_a_file, take_a_file, move_a_file, configure, require, script),
)


def samples(root: Path, chance: random.Random) -> None:
    """Some sample repositories side by side."""
    folders = sorted(folder for folder in (ROOT / "sample_repos").iterdir() if folder.is_dir())
    for folder in chance.sample(folders, 4):
        shutil.copytree(folder, root / folder.name)


def expectations(root: Path, chance: random.Random) -> None:
    """Projects and single files out of the expectations."""
    cases = sorted(case for folder in (ROOT / "tests/expect").iterdir() if folder.is_dir() for case in folder.iterdir())
    for case in chance.sample([case for case in cases if case.is_dir() or case.suffix == ".py"], 30):
        to = root / case.parent.name / case.name
        to.parent.mkdir(exist_ok=True)
        if case.is_dir():
            shutil.copytree(case, to)
        else:
            shutil.copy(case, to)


def corpus(root: Path, chance: random.Random) -> None:
    """A real repository."""
    del chance
    ignored = shutil.ignore_patterns(".git", ".trainlint_cache")
    shutil.copytree(os.environ["TRAINLINT_CORPUS"], root, dirs_exist_ok=True, ignore=ignored, symlinks=True)


#: The last only by hand, where somebody names a repository.
_PROJECTS = (samples, expectations, *((corpus,) if "TRAINLINT_CORPUS" in os.environ else ()))


@pytest.mark.heavy
@pytest.mark.parametrize("selected", [(), ("ALL",)], ids=["default", "all"])
@pytest.mark.parametrize("make", _PROJECTS, ids=lambda make: make.__name__)
def test_a_warm_run_finds_what_a_cold_one_finds(
    cached: Path, make: Callable[[Path, random.Random], None], selected: tuple[str, ...]
) -> None:
    seed = int(os.environ.get("TRAINLINT_SEED", "1"))
    make(cached, random.Random(seed))  # noqa: S311
    project = Project(cached, seed)
    check(cached, selected, kept=True)
    saved = 0
    for number in range(EDITS):
        edit = project.edit()
        where = cached if number % 5 else project.random.choice(project.sources())
        if number % 3 == 0:
            check(where, selected, kept=True, deadline=Looks(project.random.randrange(2000)))
        warm, cold = check(where, selected, kept=True), check(where, selected, kept=False)
        assert told(warm) == told(cold), f"seed {seed}, edit {number}: {edit}"
        saved += warm.statistics.get("files judged", 0) < cold.statistics.get("files judged", 0)
    assert saved > EDITS // 2  # else nothing was taken from the cache, and nothing was tested
