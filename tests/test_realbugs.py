"""The benchmark of real bugs, on a repository of a few lines: what is found, cleared and missed, and what is not there."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.realbugs.clones import NotThereError, export, repository, require
from benchmarks.realbugs.counts import Count, Outcome, by_family, by_repository, count, wilson
from benchmarks.realbugs.evaluate import around, hidden, judge, main
from benchmarks.realbugs.linters import Linter, LinterFailedError, Place, known, linter
from benchmarks.realbugs.rows import Row, row_of
from tests.test_realbugs_rows import GOOD
from trainlint.codes import CODES

BUGGY = """\
import torch
from helper import step


def train(model, loader, optimizer):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()


def test(model):
    return step(model)
"""
FIXED = BUGGY.replace("        optimizer.step()\n", "        optimizer.step()\n        optimizer.zero_grad()\n")

# Says TL701 at each line with BUG in it, in the file and in those beside it.
FAKE = """\
import pathlib, sys
for path in sorted(pathlib.Path().rglob("*.py")):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if "BUG" in line and "lib" not in path.parts:
            print(f"{path}:{number}:1: TL701 it piles up")
"""


def git(folder: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"]
    run = subprocess.run(["git", *who, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def commit(folder: Path, files: dict[str, str | None]) -> str:
    """Write files (None: remove one) and commit them; returns the commit."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x", "--allow-empty")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    return tmp_path / "clones"


@pytest.fixture
def repo(clones: Path) -> Path:
    folder = clones / "some-body+some.thing" / "repo"
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    return folder


def row(repo: Path, before: dict[str, str | None], after: dict[str, str | None], **given: Any) -> Row:
    """A row about two commits of the repository."""
    commits = {"parent": commit(repo, before), "fix": commit(repo, after)}
    facts = {"path": "train.py", "line": 9, "end_line": 9, "fixed_line": 9, "codes": ["TL701"], **commits, **given}
    return row_of({**GOOD, **facts})


def script(folder: Path, text: str) -> Linter:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fake.py").write_text(text)
    return linter(f"{shlex.quote(sys.executable)} {shlex.quote(str(folder / 'fake.py'))} {{file}}")


@pytest.fixture
def fake(tmp_path: Path) -> Linter:
    return script(tmp_path / "bin", FAKE)


def trainlint(name: str) -> Linter:
    return linter(name, f"{shlex.quote(sys.executable)} -m trainlint")


def said(text: str, at: int, word: str = "BUG") -> str:
    """The text with a word behind one of its lines."""
    lines = text.splitlines()
    lines[at - 1] += f"  # {word}"
    return "\n".join(lines) + "\n"


class TestJudging:
    @pytest.mark.parametrize("name", ["trainlint", "trainlint-all"])
    def test_trainlint_finds_a_bug_and_falls_silent(self, repo: Path, clones: Path, name: str) -> None:
        bug = row(repo, {"train.py": BUGGY, "helper.py": ""}, {"train.py": FIXED})
        assert judge(bug, clones, trainlint(name), 60) == Outcome(bug, "cleared", 1, 0, 0)

    def test_the_whole_commit_is_the_project(self, repo: Path, clones: Path) -> None:
        """A bug whose cause lies in another file than the row's, and which is reported in that one."""
        main = "import torch.distributed as dist\nfrom helper import everywhere\n\n\ndef run():\n    if dist.get_rank() == 0:\n"
        helper = "import torch.distributed as dist\n\n\ndef everywhere():\n    dist.barrier()\n"
        bug = row(
            repo,
            {"lib/train.py": main + "        everywhere()\n", "lib/helper.py": helper},
            {"lib/helper.py": helper.replace("dist.barrier()", "pass")},
            path="lib/train.py",
            line=7,
            end_line=7,
            fixed_line=7,
            codes=["TL101"],
        )
        assert judge(bug, clones, trainlint("trainlint"), 60).result == "cleared"

    def test_what_is_still_said_is_not_cleared(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": said(said(FIXED, 9), 1)})
        assert judge(bug, clones, fake, 60) == Outcome(bug, "not cleared", 1, 1, 1)

    def test_one_that_is_said_less_often_but_not_near_the_repair_is_cleared(self, repo: Path, clones: Path, fake: Linter) -> None:
        far = "def f():\n    x = 1  # BUG\n" + "    y = 2\n" * 8 + "    z = 3  # BUG\n"
        bug = row(
            repo, {"train.py": far}, {"train.py": far.replace("z = 3  # BUG", "z = 3")}, line=11, end_line=11, fixed_line=11
        )
        assert judge(bug, clones, fake, 60) == Outcome(bug, "cleared", 2, 1, 0)

    def test_as_often_elsewhere_in_the_function_is_not_cleared(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": said(FIXED, 6)}, fixed_line=None)
        assert judge(bug, clones, fake, 60) == Outcome(bug, "not cleared", 1, 1, 0)

    def test_less_often_is_not_enough_near_the_repair(self, repo: Path, clones: Path, fake: Linter) -> None:
        twice = said(said(BUGGY, 9), 8)
        bug = row(repo, {"train.py": twice}, {"train.py": said(BUGGY, 8)})
        assert judge(bug, clones, fake, 60) == Outcome(bug, "not cleared", 2, 1, 1)

    def test_another_function_is_another_bug(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 13)}, {"train.py": FIXED})
        assert judge(bug, clones, fake, 60) == Outcome(bug, "missed")

    def test_another_code_is_another_bug(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": FIXED}, codes=["TL702"])
        assert judge(bug, clones, fake, 60).result == "missed"

    def test_any_of_its_codes_will_do(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": FIXED}, codes=["TL702", "TL701"])
        assert judge(bug, clones, fake, 60).result == "cleared"

    def test_a_file_of_the_same_ending_is_another_file(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = row(repo, {"train.py": BUGGY, "pretrain.py": said(BUGGY, 9)}, {"pretrain.py": BUGGY})
        assert judge(bug, clones, fake, 60).result == "missed"

    def test_a_file_may_have_another_name_after_the_repair(self, repo: Path, clones: Path, fake: Linter) -> None:
        moved: dict[str, str | None] = {"train.py": None, "new.py": said(FIXED, 9)}
        bug = row(repo, {"train.py": said(BUGGY, 9)}, moved, fixed_path="new.py")
        assert judge(bug, clones, fake, 60).result == "not cleared"

    def test_a_file_that_went_away_took_the_bug_along(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": None}, fixed_line=None)
        assert judge(bug, clones, fake, 60) == Outcome(bug, "cleared", 1, 0, 0)

    def test_a_related_place_counts(self, repo: Path, clones: Path, tmp_path: Path) -> None:
        place = '{"row": %d, "column": 1}'
        related = '[{"filename": "train.py", "location": ' + place % 9 + "}]"
        text = '[{"code": "TL701", "filename": "other.py", "location": ' + place % 1 + ', "related": ' + related + "}]"
        bug = row(repo, {"train.py": BUGGY, "other.py": "\n"}, {"train.py": None})
        assert judge(bug, clones, script(tmp_path / "bin", f"print('{text}')"), 60).result == "cleared"

    @pytest.mark.parametrize(
        ("first", "last", "lines"),
        [
            (9, 9, (5, 12)),  # the function, and some lines on each side of the place
            (6, 6, (3, 9)),
            (1, 1, (-2, 4)),  # module level
            (9, 13, (6, 16)),  # two functions
        ],
    )
    def test_a_function_is_around(self, first: int, last: int, lines: tuple[int, int]) -> None:
        assert around(BUGGY, first, last) == lines

    def test_it_is_the_innermost_one(self) -> None:
        source = "def outer():\n" + "    x = 1\n" * 9 + "    async def inner():\n" + "        y = 2\n" * 9 + "    z = 3\n" * 9
        assert around(source, 15, 15) == (11, 20)
        assert around(source, 24, 24) == (1, 29)

    @pytest.mark.parametrize("source", ["def f(:\n", "x = '\0'", "(" * 100_000])
    def test_what_cannot_be_parsed_has_no_functions(self, source: str) -> None:
        assert around(source, 5, 6) == (2, 9)


class TestWhatIsNotThere:
    def test_a_repository(self, repo: Path, clones: Path, fake: Linter) -> None:
        bug = replace(row(repo, {"train.py": BUGGY}, {"train.py": FIXED}), repo="some-body/else")
        assert judge(bug, clones, fake, 60) == Outcome(bug, "no repository")

    @pytest.mark.parametrize("key", ["parent", "fix"])
    @pytest.mark.parametrize("kind", ["unknown", "no commit"])
    def test_a_commit(self, repo: Path, clones: Path, fake: Linter, key: str, kind: str) -> None:
        bug = row(repo, {"train.py": BUGGY}, {"train.py": FIXED})
        other = "1" * 40 if kind == "unknown" else git(repo, "rev-parse", "HEAD^{tree}")
        assert judge(replace(bug, **{key: other}), clones, fake, 60).result == "no commit"

    @pytest.mark.parametrize("able", [True, False])
    def test_a_file(self, repo: Path, clones: Path, fake: Linter, able: bool) -> None:
        bug = row(repo, {"a/train.py": BUGGY}, {"a/train.py": FIXED})
        asked = fake if able else fake._replace(rules={})
        assert judge(bug, clones, asked, 60).result == "no file"

    def test_a_link_is_no_file(self, repo: Path, clones: Path, fake: Linter, tmp_path: Path) -> None:
        (tmp_path / "secret.py").write_text("x = 1  # BUG\n")
        (repo / "train.py").symlink_to(tmp_path / "secret.py")
        assert judge(row(repo, {}, {}, line=1, end_line=1), clones, fake, 60).result == "no file"

    @pytest.mark.parametrize("what", ["HEAD alone", "head", "commit", "tree", "blob", "pack", "index"])
    def test_a_damaged_clone(self, repo: Path, clones: Path, fake: Linter, what: str) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": FIXED})
        damage(repo, bug, what)
        with contextlib.chdir(repo) if sys.version_info >= (3, 11) else contextlib.nullcontext():
            assert judge(bug, clones, fake, 60) == Outcome(bug, "damaged clone")

    def test_another_repository_around_a_broken_one_is_not_taken(self, clones: Path, fake: Linter) -> None:
        clones.mkdir()
        git(clones, "init", "-q")
        bug = row(clones, {"train.py": said(BUGGY, 9)}, {"train.py": FIXED})
        (clones / "some-body+some.thing").mkdir()
        (clones / "some-body+some.thing" / "HEAD").write_text("ref: refs/heads/main\n")
        assert judge(bug, clones, fake, 60).result == "damaged clone"

    def test_a_blob_that_a_partial_clone_lacks_is_not_fetched(
        self, repo: Path, clones: Path, fake: Linter, tmp_path: Path
    ) -> None:
        bug = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": FIXED})
        blob = object_of(repo, f"{bug.parent}:train.py")
        upstream = tmp_path / "upstream"
        git(tmp_path, "clone", "-q", "--bare", str(repo), str(upstream))
        git(repo, "remote", "add", "origin", str(upstream))
        git(repo, "config", "remote.origin.promisor", "true")
        git(repo, "config", "extensions.partialClone", "origin")
        blob.unlink()
        assert judge(bug, clones, fake, 60).result in {"no file", "damaged clone"}
        assert not blob.exists()


def object_of(repo: Path, name: str) -> Path:
    oid = git(repo, "rev-parse", name)
    return repo / ".git" / "objects" / oid[:2] / oid[2:]


def damage(repo: Path, bug: Row, what: str) -> None:
    """Break a clone, or what a row needs of it."""
    if what == "HEAD alone":
        for path in sorted((repo / ".git").rglob("*"), reverse=True):
            if path.name != "HEAD" or path.parent.name != ".git":
                path.rmdir() if path.is_dir() else path.unlink()
    elif what == "head":
        (repo / ".git" / "HEAD").write_bytes(b"\0\xff")
    elif what in {"pack", "index"}:
        git(repo, "repack", "-q", "-a", "-d")
        for path in (repo / ".git" / "objects" / "pack").glob("*.pack" if what == "pack" else "*.idx"):
            path.chmod(0o644)
            path.write_bytes(path.read_bytes()[:100])
    else:
        path = object_of(repo, bug.parent + {"commit": "", "tree": "^{tree}", "blob": ":train.py"}[what])
        path.chmod(0o644)
        path.write_bytes(b"garbage")


class TestLintersThatFail:
    @pytest.mark.parametrize(
        "text",
        [
            "raise ValueError",
            "import os; os.kill(os.getpid(), 9)",
            "print('[{'); raise SystemExit(1)",
            "print('[3]')",
            "raise SystemExit(7)",
        ],
    )
    def test_a_crash_is_a_miss_with_a_name(self, repo: Path, clones: Path, tmp_path: Path, text: str) -> None:
        bug = row(repo, {"train.py": BUGGY}, {"train.py": FIXED})
        assert judge(bug, clones, script(tmp_path / "bin", text), 60) == Outcome(bug, "missed", trouble="crash")

    def test_one_that_fails_on_the_repaired_code_has_cleared_nothing(self, repo: Path, clones: Path, tmp_path: Path) -> None:
        text = "import sys\nif 'zero' in open(sys.argv[1]).read(): raise ValueError\nprint('train.py:9: TL701')"
        bug = row(repo, {"train.py": BUGGY}, {"train.py": FIXED})
        assert judge(bug, clones, script(tmp_path / "bin", text), 60) == Outcome(bug, "missed", trouble="crash")

    def test_a_program_that_is_not_there(self, repo: Path, clones: Path) -> None:
        bug = row(repo, {"train.py": BUGGY}, {"train.py": FIXED})
        assert judge(bug, clones, linter("/no/such/program {file}"), 60).trouble == "does not start"

    def test_one_that_takes_too_long_is_stopped_with_what_it_started(self, repo: Path, clones: Path, tmp_path: Path) -> None:
        mark = tmp_path / "mark"
        child = f"import time; time.sleep(3); open({str(mark)!r}, 'w')"
        text = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {child!r}]).wait()"
        bug = row(repo, {"train.py": BUGGY}, {"train.py": FIXED})
        assert judge(bug, clones, script(tmp_path / "bin", text), 1) == Outcome(bug, "missed", trouble="timeout")
        time.sleep(3)
        assert not mark.exists()

    def test_what_lies_in_a_strangers_repository_is_not_imported(self, repo: Path, clones: Path) -> None:
        trap = "import os; os._exit(0)\n"
        names = ("trainlint/__init__.py", "trainlint/__main__.py", "click.py", "json.py", "libcst.py")
        bug = row(repo, {"train.py": BUGGY, "helper.py": "", **dict.fromkeys(names, trap)}, {"train.py": FIXED})
        if sys.version_info >= (3, 11):  # before, nothing keeps python -m from it; the console script does
            assert judge(bug, clones, trainlint("trainlint"), 60).result == "cleared"

    def test_what_a_linter_prints_as_its_failure(self, tmp_path: Path) -> None:
        torchfix = known()["torchfix"]
        asked = script(tmp_path / "bin", "import sys; print('x Failed to codemod y', file=sys.stderr)")
        with pytest.raises(LinterFailedError, match="crash"):
            asked._replace(failure=torchfix.failure).check(tmp_path, "a.py", ["TL601"], 60)


class TestLinters:
    def test_the_known_ones(self) -> None:
        assert list(known()) == ["trainlint", "trainlint-all", "torchfix", "ruff", "pylint"]

    def test_their_rules_stand_for_codes_that_exist(self) -> None:
        for each in known().values():
            for rule, codes in (each.rules or {}).items():
                assert CODES.keys() >= set(codes), rule

    @pytest.mark.parametrize(
        ("name", "text", "codes", "wanted"),
        [
            ("ruff", "def f(a, key):\n    return a\n", ["TL523", "TL533"], [Place("a.py", 1, 1)]),
            ("ruff", "def f(a, key):\n    return a\n", ["TL710"], []),
            ("ruff", "import pickle\npickle.loads(x)\n", ["TL601"], [Place("a.py", 2, 2)]),
            ("ruff", "def (\n", ["TL601"], []),
            ("pylint", "def f(a, key):\n    return a\n", ["TL533"], [Place("a.py", 1, 1)]),
            ("pylint", "def f(a, key):\n    return a + key\n", ["TL533"], []),
            ("pylint", "def (\n", ["TL533"], []),
        ],
    )
    def test_what_they_say(self, tmp_path: Path, name: str, text: str, codes: list[str], wanted: list[Place]) -> None:
        (tmp_path / "a.py").write_text(text)
        found = linter(name, f"{shlex.quote(sys.executable)} -m {name}").check(tmp_path, "a.py", codes, 60)
        assert [each.places[0] for each in found if each.codes & set(codes)] == wanted

    def test_only_rules_that_name_the_bug_are_asked(self) -> None:
        ruff = known()["ruff"]
        assert ruff.may_name(["TL101", "TL601"])
        assert not ruff.may_name(["TL101"])
        assert known()["trainlint"].may_name(["TL101"])

    def test_a_command_of_a_known_program_has_its_rules(self) -> None:
        assert linter("/x/ruff check {file}").rules == known()["ruff"].rules
        assert linter("/x/other {file}").rules is None

    @pytest.mark.parametrize("name", ["mypy", "mypy file", ""])
    def test_any_other_name_is_refused(self, name: str) -> None:
        with pytest.raises(ValueError, match="neither one of trainlint"):
            linter(name)

    def test_a_path_is_no_option(self, tmp_path: Path) -> None:
        asked = script(tmp_path / "bin", "import sys; print(sys.argv[1] + ':1: TL101')")
        assert [each.places for each in asked.check(tmp_path, "-x.py", ["TL101"], 60)] == [(Place("-x.py", 1, 1),)]


class TestExports:
    def test_code_and_configuration_are_written_and_data_is_not(self, repo: Path, tmp_path: Path) -> None:
        names = [
            "a.py",
            "p/b.py",
            "c.toml",
            "setup.cfg",
            "n.ipynb",
            "y.yaml",
            "z.yml",
            "j.json",
            "run.sh",
            "requirements-dev.txt",
        ]
        large = {"big.json": "[" + "0," * 600_000 + "0]", "data.bin": "x", "README.md": "x", "notes.txt": "x"}
        # What the repository leaves out of its archives is part of the project.
        given = {**dict.fromkeys([*names, "odd.name"], "1\n"), **large, ".gitattributes": "*.py export-ignore\n"}
        made = commit(repo, dict(given))
        folder = tmp_path / "out"
        folder.mkdir()
        assert export(repo / ".git", made, "odd.name", folder)
        assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == sorted(
            [*names, "odd.name"]
        )
        assert (folder / "p/b.py").read_text() == "1\n"

    def test_names_that_are_not_plain(self, repo: Path, tmp_path: Path) -> None:
        names = ["ü b.py", "a\nb.py", "-c.py"]
        made = commit(repo, dict.fromkeys(names, "1\n"))
        folder = tmp_path / "out"
        folder.mkdir()
        export(repo / ".git", made, names[0], folder)
        assert {path.name for path in folder.iterdir()} == set(names)

    def test_nothing_is_written_outside(self, repo: Path, tmp_path: Path) -> None:
        """A tree that git itself would never make."""
        blob = subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=repo, input=b"1", capture_output=True, check=True
        ).stdout
        inner = raw_tree(repo, b"100644 x.py\0" + bytes.fromhex(blob.decode().strip()))
        outer = raw_tree(repo, b"40000 ..\0" + bytes.fromhex(inner))
        made = git(repo, "commit-tree", outer, "-m", "x")
        folder = tmp_path / "out" / "in"
        folder.mkdir(parents=True)
        assert not export(repo / ".git", made, "x.py", folder)
        assert [path.name for path in (tmp_path / "out").rglob("*")] == ["in"]

    @pytest.mark.parametrize("place", ["a+b", "a+b/repo", "a/b"])
    @pytest.mark.parametrize("bare", [True, False])
    def test_where_a_clone_may_lie(self, tmp_path: Path, place: str, bare: bool) -> None:
        folder = tmp_path / place
        folder.mkdir(parents=True)
        git(folder, "init", "-q", *(["--bare"] if bare else []))
        assert repository(tmp_path, "a/b") == (folder if bare else folder / ".git")
        with pytest.raises(NotThereError, match="no commit"):
            require(repository(tmp_path, "a/b"), "1" * 40)


def raw_tree(repo: Path, data: bytes) -> str:
    command = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    return subprocess.run(command, cwd=repo, input=data, capture_output=True, check=True).stdout.decode().strip()


class TestCounting:
    @pytest.fixture
    def outcomes(self) -> list[Outcome]:
        one = row_of(GOOD)
        other, unsure = replace(one, repo="b/b", codes=("TL701",)), replace(one, decidable=False)
        results = [(one, "cleared"), (one, "not cleared"), (one, "missed"), (one, "no commit"), (other, "cleared")]
        return [*(Outcome(*each) for each in results), Outcome(one, "missed", trouble="crash"), Outcome(unsure, "cleared")]

    def test_what_is_counted(self, outcomes: list[Outcome]) -> None:
        assert count(outcomes) == Count(7, 6, 5, found=3, cleared=2, missed=2, failed=1, not_there=1, undecidable_found=1)
        assert {name: each.rows for name, each in by_family(outcomes).items()} == {"TL1": 6, "TL7": 1}

    def test_each_repository_counts_alike(self, outcomes: list[Outcome]) -> None:
        assert by_repository(outcomes, ["cleared"]) == pytest.approx((1 / 4 + 1) / 2)
        assert by_repository([], ["cleared"]) is None

    @pytest.mark.parametrize(("part", "whole"), [(0, 10), (10, 10), (5, 10), (42, 118), (1, 1)])
    def test_the_interval_ends_where_the_share_would_be_196_deviations_away(self, part: int, whole: int) -> None:
        share, ends = part / whole, wilson(part, whole)
        assert ends[0] - 1e-9 <= share <= ends[1] + 1e-9
        for end in ends:
            if end != pytest.approx(share):
                assert abs(share - end) / (end * (1 - end) / whole) ** 0.5 == pytest.approx(1.96, abs=1e-3)

    def test_of_nothing_nothing_is_known(self) -> None:
        assert wilson(0, 0) == (0, 1)


class TestTheCommand:
    @pytest.fixture
    def run(self, repo: Path, clones: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
        """Run it on two bugs, of which the second is not there; returns the status and what it printed."""
        found = row(repo, {"train.py": said(BUGGY, 9)}, {"train.py": FIXED})
        gone = replace(found, id="P002", repo="no/body", what="Not to be seen.")
        fake = script(tmp_path / "bin", FAKE)

        def run(name: str, *options: str) -> tuple[int, str]:
            lines = [json.dumps(vars(each)) for each in (found, gone)]
            (tmp_path / name).write_text("\n".join([*lines, "{", ""]))
            try:
                status = main([str(tmp_path / name), "--repos", str(clones), "--linter", fake.name, *options])
            except SystemExit as error:
                status = int(str(error.code))
            out, err = capsys.readouterr()
            return status, out + err

        return run

    def test_it_counts_and_names_what_is_not_there(self, run: Callable[..., tuple[int, str]]) -> None:
        status, printed = run("practice.jsonl")
        assert status == 0
        assert "practice.jsonl: line 3: not JSON" in printed
        assert "P002: no repository" in printed
        assert "found and cleared: 100.0 % (20.7 to 100.0); 100.0 % weighted by repository" in printed
        assert "Not to be seen" not in printed

    def test_what_is_kept(self, run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
        run("practice.jsonl", "--json", str(tmp_path / "out.json"), "--note", "n")
        kept = json.loads((tmp_path / "out.json").read_text())
        assert (kept["note"], kept["unusable lines"], kept["not there"]["no repository"]) == ("n", 1, 1)
        assert kept["total"]["cleared"] == kept["families"]["TL7"]["cleared"] == 1
        assert kept["each"][0] == {"id": "P001", "result": "cleared", "before": 1, "after": 0, "at_fix": 0, "trouble": ""}

    def test_of_an_exam_only_counts_are_kept(self, run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
        status, printed = run("exam.jsonl", "--json", str(tmp_path / "out.json"))
        assert status == 0
        assert "some.thing" not in printed + (tmp_path / "out.json").read_text()
        assert "each" not in json.loads((tmp_path / "out.json").read_text())

    @pytest.mark.parametrize("options", [["--show"], ["--only", "P001"]])
    def test_an_exam_is_not_shown(self, run: Callable[..., tuple[int, str]], options: list[str]) -> None:
        status, printed = run("exam2.jsonl", *options)
        assert status == 2
        assert "never shown" in printed
        assert "some.thing" not in printed

    def test_nor_is_a_copy_of_one(self) -> None:
        assert hidden(Path("mine.jsonl"), [replace(row_of(GOOD), id="E001")])
        assert not hidden(Path("mine.jsonl"), [row_of(GOOD)])

    def test_practice_is_shown_if_wanted(self, run: Callable[..., tuple[int, str]]) -> None:
        assert "P001" not in run("practice.jsonl", "--show")[1]
        assert "0 rows" not in run("practice.jsonl", "--show", "--only", "P003")[1]

    @pytest.mark.parametrize(
        ("options", "why"),
        [
            (["--linter", "nothing"], "neither one of"),
            (["--only", "("], "unterminated"),
            (["--linter", "ruff", "--program", "/no/such/ruff"], "does not start"),
        ],
    )
    def test_wrong_usage_is_said(self, run: Callable[..., tuple[int, str]], options: list[str], why: str) -> None:
        status, printed = run("practice.jsonl", *options)
        assert status == 2
        assert why in printed

    def test_a_file_that_is_not_there(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            main([str(tmp_path / "no.jsonl"), "--repos", str(tmp_path)])
        assert "No such file" in capsys.readouterr().err
