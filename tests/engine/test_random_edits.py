"""Edits at random, and after each of them: what a run says that remembers is, byte for byte, what one says that does not."""

from __future__ import annotations

import ast
import random
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.engine.warm import Looks, check, settings_for, told
from trainlint.app.cli.known_findings import _marks, _marks_in_place
from trainlint.app.engine.resident import Resident
from trainlint.app.engine.result import Result
from trainlint.app.engine.revision import exported, in_place, resolved
from trainlint.app.engine.session import Staying
from trainlint.finding import Finding

SAMPLES = Path(__file__).resolve().parents[2] / "sample_repos"
#: A project in which files hang on one another: callers, classes, constants, re-exports.
LINKED = {
    "lab/__init__.py": "from .sync import gather, Meter\n",
    "lab/sync.py": """
import torch
import torch.distributed as dist

FIRST = 0


def is_main():
    return dist.get_rank() == FIRST


def gather(value):
    dist.all_reduce(value)
    return value


class Meter:
    def __init__(self):
        self.total = torch.zeros(1)

    def update(self, loss):
        self.total = self.total + loss

    def reduce(self):
        return gather(self.total)
""",
    "lab/data.py": """
from torch.utils.data import DataLoader, DistributedSampler


def loader(dataset, shuffle=True):
    sampler = DistributedSampler(dataset)
    return DataLoader(dataset, sampler=sampler, batch_size=8)
""",
    "train.py": """
import torch
from lab import Meter
from lab.data import loader
from lab.sync import is_main


def train(model, dataset, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    meter = Meter()
    for epoch in range(epochs):
        for images, labels in loader(dataset):
            loss = model(images).sum()
            loss.backward()
            optimizer.step()
            meter.update(loss)
        if is_main():
            print(meter.reduce())
    pick = lambda item: item.detach()
    return pick
""",
    "evaluate.py": """
import torch
from lab import Meter, gather


def evaluate(model, batches):
    meter = Meter()
    model.eval()
    for images in batches:
        meter.update(model(images).sum())
    if torch.distributed.get_rank() == 0:
        gather(meter.total)
        torch.save(model, "model.pt")
""",
}

MORE = """

import torch.distributed as dist


def more(value):
    if dist.get_rank() == 0:
        dist.all_reduce(value)
"""


class Edits:
    """Changes files of a project, by chance. Each edit says whether it leaves what files say as it was, but for the lines."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root = root
        self.chance = chance
        self.kept: dict[Path, str] = {}
        self.quiet: tuple[Callable[[], None], ...] = (self.comment, self.empty_line, self.behind, self.docstring)
        self.loud: tuple[Callable[[], None], ...] = (
            self.without_a_line,
            self.twice,
            self.literal,
            self.renamed,
            self.appended,
            self.imported,
            self.new,
            self.removed,
            self.requirements,
            self.configured,
            self.back,
        )

    def file(self) -> Path:
        return self.chance.choice(sorted(self.root.rglob("*.py")))

    def write(self, path: Path, text: str) -> None:
        """Write a text, if it is Python or (seldom) even if it is not."""
        try:
            ast.parse(text)
        except SyntaxError:
            if self.chance.random() < 0.9:
                return
        self.kept.setdefault(path, path.read_text())
        path.write_text(text)

    def inserted(self, path: Path, line: Callable[[str], str]) -> None:
        """Put a line above one of those that begin a statement; ``line`` makes it for an indentation."""
        lines = path.read_text().splitlines(keepends=True)
        tree = ast.parse("".join(lines))
        firsts = sorted({node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)} - _with_decorators(tree))
        if firsts:
            at = self.chance.choice(firsts) - 1
            text = lines[at]
            lines.insert(at, line(text[: len(text) - len(text.lstrip())]))
            self.write(path, "".join(lines))

    # -- nothing but lines

    def comment(self) -> None:
        self.inserted(
            self.readable(),
            lambda indent: f"{indent}# {self.chance.randrange(1000)} {self.chance.choice(('things', 'ranks, of them rank 0'))}\n",
        )

    def empty_line(self) -> None:
        self.inserted(self.readable(), lambda _: "\n" * self.chance.randint(1, 90))

    def behind(self) -> None:
        path = self.readable()
        self.write(path, path.read_text() + "\n# the end\n")

    def docstring(self) -> None:
        path = self.readable()
        self.inserted(path, lambda indent: f'{indent}"""Said {self.chance.randrange(1000)} times."""\n')

    def readable(self) -> Path:
        for _ in range(50):
            path = self.file()
            try:
                ast.parse(path.read_text())
            except SyntaxError:
                continue
            return path
        raise AssertionError("no file is left that can be parsed")

    # -- what files say

    def without_a_line(self) -> None:
        path = self.file()
        lines = path.read_text().splitlines(keepends=True)
        if lines:
            del lines[self.chance.randrange(len(lines))]
            self.write(path, "".join(lines))

    def twice(self) -> None:
        path = self.file()
        lines = path.read_text().splitlines(keepends=True)
        if lines:
            at = self.chance.randrange(len(lines))
            lines.insert(at, lines[at])
            self.write(path, "".join(lines))

    def literal(self) -> None:
        path = self.file()
        old, new = self.chance.choice((("True", "False"), ("== 0", "== 1"), ("False", "True"), ("0.1", "0.2"), ("8", "16")))
        self.write(path, path.read_text().replace(old, new, 1))

    def renamed(self) -> None:
        path = self.readable()
        names = sorted({node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)})
        if names:
            name = self.chance.choice(names)
            everywhere = self.chance.random() < 0.5
            for each in sorted(self.root.rglob("*.py")) if everywhere else [path]:
                self.write(each, each.read_text().replace(name, f"{name}_"))

    def appended(self) -> None:
        path = self.file()
        self.write(path, path.read_text() + MORE)

    def imported(self) -> None:
        path, other = self.file(), self.file()
        dotted = ".".join(other.relative_to(self.root).with_suffix("").parts).removesuffix(".__init__")
        self.write(path, f"import {dotted}\n" + path.read_text() if self.chance.random() < 0.5 else f"from {dotted} import *\n")

    def new(self) -> None:
        path = self.chance.choice(sorted({each.parent for each in self.root.rglob("*.py")})) / f"new{self.chance.randrange(5)}.py"
        path.write_text(self.file().read_text())

    def removed(self) -> None:
        paths = sorted(self.root.rglob("*.py"))
        if len(paths) > 3:
            path = self.chance.choice(paths)
            self.kept.setdefault(path, path.read_text())
            path.unlink()

    def requirements(self) -> None:
        (self.root / "requirements.txt").write_text(f"torch=={self.chance.choice(('1.8', '1.13', '2.4'))}\n")

    def configured(self) -> None:
        """Other rules, other levels, and what the project's own functions do."""
        knowledge = '[knowledge.collectives]\n"lab.sync.gather" = -1'
        text = self.chance.choice(("", 'ignore = ["TL101"]', knowledge, 'levels.TL301 = "off"'))
        (self.root / "trainlint.toml").write_text(text)

    def back(self) -> None:
        """As it was in the beginning, as after a change of branches."""
        for path, text in self.kept.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def _with_decorators(tree: ast.AST) -> set[int]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.lineno for node in ast.walk(tree) if isinstance(node, kinds) and node.decorator_list}


#: How often time is up in a run before, and a program that stays comes first.
_HURRIED, _STAYING = 0.3, 0.5


def _compare_staying(root: Path, select: tuple[str, ...], staying: Staying, cold: Result, change: object) -> None:
    stayed = check(root, select, kept=True, staying=staying)
    assert told(stayed) == told(cold), change
    for finding in cold.findings:
        assert stayed.lines_of(finding.path, finding.cell) == cold.lines_of(finding.path, finding.cell), change


def _as_said(finding: Finding) -> object:
    return finding.code, str(finding.path.absolute()), finding.span, finding.message, finding.related, finding.honoured


def compare(root: Path, seed: int, edits: int) -> tuple[int, int]:
    """Edit and compare; of edits that change nothing but lines, after how many something was judged again."""
    chance = random.Random(seed)  # noqa: S311 - nobody must not know it
    select = ("ALL",) if chance.random() < 0.5 else ()
    edit = Edits(root, chance)
    check(root, select, kept=True)
    quiet = judged = 0
    staying, resident = Staying(), None
    for number in range(edits):
        is_quiet = number % 2 == 0
        change = chance.choice(edit.quiet if is_quiet else edit.loud)
        change()
        cold = check(root, select, kept=False)
        if chance.random() < _HURRIED:
            check(root, select, kept=True, deadline=Looks(chance.randrange(200)))
        if not is_quiet and chance.random() < _STAYING:  # else it finds what the others have kept
            _compare_staying(root, select, staying, cold, change)
        warm = check(root, select, kept=True)
        assert told(warm) == told(cold), change
        settings = settings_for(root, select)
        is_new = resident is None or resident.settings != settings
        if resident is None or is_new:
            resident = Resident(root, [root], settings)
        whole = resident.whole([str(path) for path in sorted(root.rglob("*.py"))])
        assert [_as_said(each) for each in whole.findings] == [_as_said(each) for each in cold.findings], change
        _compare_staying(root, select, staying, cold, change)
        assert warm.statistics["files judged"] <= cold.statistics["files judged"]
        quiet += is_quiet
        judged += is_quiet and max(each.statistics["files judged"] for each in (warm, *([] if is_new else [whole]))) > 0
    return quiet, judged


def linked(root: Path) -> None:
    for name, text in LINKED.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text.lstrip())


def test_after_some_edits(cached: Path) -> None:
    linked(cached)
    quiet, judged = compare(cached, 1, 20)
    assert quiet == 10
    assert judged == 0


def test_the_last_commit_in_place_is_the_last_commit_elsewhere(cached: Path) -> None:
    """After each edit: what was found before it, with what is kept and with the files of the commit in a folder of their own."""
    (cached / ".git").rmdir()
    linked(cached)
    git = partial(subprocess.run, cwd=cached, check=True, capture_output=True)
    git(["git", "init", "-q"])
    chance = random.Random(3)  # noqa: S311
    edit = Edits(cached, chance)
    around = (edit.requirements, edit.configured)  # the folder of its own has no requirements
    changes = [change for change in (*edit.quiet, *edit.loud) if change not in around]
    in_place_often = found = 0
    for _ in range(12):
        settings = settings_for(cached, ("ALL",))
        check(cached, ("ALL",), kept=True)
        git(["git", "add", "-A", "--", "*.py"])
        git(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "so"])
        change = chance.choice(changes)
        change()
        files = [edit.file(), edit.file()]
        there = resolved("HEAD", cached)
        then = in_place(there)
        if then is not None:
            with exported(there) as elsewhere:
                marks = _marks(elsewhere, files, settings)
            assert _marks_in_place(then, there.repository, files, settings) == marks, change
            in_place_often += 1
            found += len(marks)
    assert in_place_often > 6
    assert found > 0


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("name", ["linked", "accelerate_summarizer", "amp_segmenter", "ddp_classifier", "fsdp_lm", "tpu_tagger"])
def test_after_many_edits(cached: Path, name: str, number: int) -> None:
    if name == "linked":
        linked(cached)
    else:
        shutil.copytree(SAMPLES / name, cached, dirs_exist_ok=True)
    compare(cached, number, 25)
