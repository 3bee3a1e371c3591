"""``--add-ignore``: an old project takes up the tool. The comments stand where they are read, and nothing else changes."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.driven import ROOT, check, found

HEAD = "import torch.distributed as dist\n\n\n"
BODY = {
    "a call": ("    if rank == 0:\n        dist.barrier()\n", "dist.barrier()", "dist.barrier()  # trainlint: ignore[TL101]"),
    "behind a comment of another tool": (
        "    if rank == 0:\n        dist.barrier()  # noqa: E501 # pragma: no cover  \n",
        "# pragma: no cover  \n",
        "# pragma: no cover  # trainlint: ignore[TL101]\n",
    ),
    "into the list that stands there": (
        "    if rank == 0:\n        dist.barrier()  # trainlint: ignore[TL301] kept for later\n",
        "[TL301]",
        "[TL301, TL002, TL101]",
    ),
    "behind a word for the analysis": (
        "    if rank == 0:\n        dist.barrier()  # trainlint: collective\n",
        "collective\n",
        "collective  # trainlint: ignore[TL101]\n",
    ),
    "a call of several lines": (
        "    if rank == 0:\n        dist.all_reduce(\n            x,\n            op=y,\n        )\n",
        "\n        )\n",
        "\n        )  # trainlint: ignore[TL101]\n",
    ),
    "a list on the first of several lines": (
        "    if rank == 0:\n        dist.all_reduce(  # trainlint: ignore[TL102]\n            x,\n        )\n",
        "[TL102]",
        "[TL102, TL002, TL101]",
    ),
    "lines that a backslash joins": (
        "    if rank == 0:\n        x = 1 + \\\n            dist.all_reduce(x) + \\\n            2\n",
        "\n            2\n",
        "\n            2  # trainlint: ignore[TL101]\n",
    ),
    "a string of several lines": (
        "    if rank == 0:\n        dist.broadcast_object_list(['''\n  # trainlint: ignore[TL101]\n'''])\n",
        "\n'''])\n",
        "\n'''])  # trainlint: ignore[TL101]\n",
    ),
    "an f-string of several lines": (
        "    if rank == 0:\n        dist.broadcast_object_list([f'''\n {x} # a\n'''])\n",
        "\n'''])\n",
        "\n'''])  # trainlint: ignore[TL101]\n",
    ),
    "a statement before a semicolon": (
        "    if rank == 0:\n        dist.barrier(); z = '''\n'''\n",
        "\n'''\n",
        "\n'''  # trainlint: ignore[TL101]\n",
    ),
    "two on a line": (
        "    if rank == 0:\n        dist.barrier(); dist.all_reduce(x)\n",
        "all_reduce(x)",
        "all_reduce(x)  # trainlint: ignore[TL101]",
    ),
    "a header that a backslash continues": (
        "    while rank == 0 and \\\n            dist.all_reduce(x):\n        x = 1\n",
        "dist.all_reduce(x):",
        "dist.all_reduce(x):  # trainlint: ignore[TL101]",
    ),
    "a condition": (
        "    if rank == 0 and dist.all_reduce(x):\n        x = 1\n        x = 2\n",
        "dist.all_reduce(x):",
        "dist.all_reduce(x):  # trainlint: ignore[TL101]",
    ),
}


def text_of(case: str) -> str:
    return f"{HEAD}def save(rank, x, y):\n{BODY[case][0]}    return x\n"


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a file for each case, after one run."""
    folder = tmp_path_factory.mktemp("old")
    for number, case in enumerate(BODY):
        (folder / f"case{number}.py").write_text(text_of(case), encoding="utf-8")
    done = check(folder, "--add-ignore")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Added 13 suppression comments for 15 findings.\n"
    return folder


@pytest.mark.parametrize("case", BODY)
def test_the_comment_stands_where_it_is_read(adopted: Path, case: str) -> None:
    after = (adopted / f"case{list(BODY).index(case)}.py").read_text(encoding="utf-8")
    before, (_, old, new) = text_of(case), BODY[case]
    assert after == before.replace(old, new) != before
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(before))


def test_then_the_check_is_clean_and_a_second_run_changes_nothing(adopted: Path) -> None:
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in adopted.glob("*.py")}
    assert found(adopted) == []
    done = check(adopted, "--add-ignore")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Added 0 suppression comments.\n")
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before} == before


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("data", "end"),
    [
        (
            "# -*- coding: latin-1 -*-\né = 1\r\nimport torch.distributed as d\r\nif d.get_rank() == 0:\r\n\td.barrier()",
            b"",
        ),
        ("\ufeffimport torch.distributed as dist\nif dist.get_rank() == 0: dist.barrier()\n", b"\n"),
    ],
)
def test_bytes_stay_as_they_are(tmp_path: Path, data: str, end: bytes) -> None:
    before = data.encode("latin-1" if "latin-1" in data else "utf-8")
    path = tmp_path / "a.py"
    path.write_bytes(before)
    path.chmod(0o640)
    assert check(tmp_path, "--add-ignore").returncode == 0
    assert path.read_bytes() == before.removesuffix(end) + b"  # trainlint: ignore[TL101]" + end
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.heavy
def test_comments_about_comments_are_silenced_too(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1  # trainlint: ignore[TL999]\n# trainlint: ignore[TL101]\n", encoding="utf-8")
    assert check(tmp_path, "--add-ignore").returncode == 0
    expected = "x = 1  # trainlint: ignore[TL999, TL003]\n# trainlint: ignore[TL101, TL002]\n"
    assert path.read_text(encoding="utf-8") == expected
    assert check(tmp_path).returncode == 0


@pytest.mark.heavy
def test_what_no_comment_can_suppress_is_still_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    broken = text_of("a call") + "if (\n"
    path.write_text(broken, encoding="utf-8")
    done = check(tmp_path, "--add-ignore")
    assert done.returncode == 1
    assert "a.py:8:4: TL001" in done.stdout
    assert done.stderr == "Added 0 suppression comments.\nNo comment can be placed for 1 finding.\n"
    assert path.read_text(encoding="utf-8") == broken


@pytest.mark.heavy
@pytest.mark.parametrize("project", ["tests/expect/TL3*", "sample_repos"])
def test_a_whole_project_is_adopted(tmp_path: Path, project: str) -> None:
    """Hundreds of findings in all kinds of code: none is left, no statement is another one, a second run has nothing to do."""
    old, new = tmp_path / "as it was", tmp_path / "project"
    for folder in ROOT.glob(project):
        shutil.copytree(folder, old / folder.name)
    shutil.copytree(old, new)
    everything = ("--select", "ALL", "--ignore", "TL001,TL006")
    assert len(found(new, *everything)) > 20
    done = check(new, "--add-ignore", *everything)
    assert (done.returncode, done.stdout) == (0, "")
    changed = [path for path in new.rglob("*.py") if path.read_bytes() != (old / path.relative_to(new)).read_bytes()]
    assert len(changed) > 10
    for path in changed:
        assert ast.dump(ast.parse(path.read_bytes())) == ast.dump(ast.parse((old / path.relative_to(new)).read_bytes()))
    assert found(new, *everything) == []
    assert check(new, "--add-ignore", *everything).stderr == "Added 0 suppression comments.\n"


@pytest.mark.heavy
def test_a_magic_gets_no_comment(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    lines = [*HEAD.splitlines(keepends=True), "if dist.get_rank() == 0:\n", "    %time dist.barrier()"]
    cell = {"cell_type": "code", "source": lines, "metadata": {}, "outputs": [], "execution_count": None}
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}), encoding="utf-8")
    before = path.read_bytes()
    done = check(tmp_path, "--add-ignore")
    assert (done.returncode, path.read_bytes()) == (1, before)
    assert "a.ipynb:cell 1:5:11: TL101" in done.stdout


@pytest.mark.heavy
def test_files_that_are_not_checked_get_no_comments(tmp_path: Path) -> None:
    """A finding elsewhere that has a related place here is reported, but its file was not named."""
    (tmp_path / "sync.py").write_text(
        "import torch.distributed as dist\n\n\ndef finish():\n    dist.barrier()\n", encoding="utf-8"
    )
    main = tmp_path / "main.py"
    main.write_text("from sync import finish\n\n\ndef run(rank):\n    if rank == 0:\n        finish()\n", encoding="utf-8")
    before = main.read_bytes()
    done = check(tmp_path, "--add-ignore", "sync.py")
    assert done.returncode == 1
    assert "main.py:6:9: TL101" in done.stdout
    assert main.read_bytes() == before


@pytest.mark.heavy
def test_only_what_is_new_to_a_baseline_gets_comments(tmp_path: Path) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(text_of("a call"), encoding="utf-8")
    check(tmp_path, "--write-baseline", "base.json")
    new.write_text(text_of("a call").replace("save", "load"), encoding="utf-8")
    done = check(tmp_path, "--baseline", "base.json", "--add-ignore")
    assert (done.returncode, done.stderr) == (0, "Added 1 suppression comment for 1 finding.\n")
    assert "# trainlint" not in old.read_text(encoding="utf-8")
    assert "# trainlint" in new.read_text(encoding="utf-8")


@pytest.mark.heavy
@pytest.mark.parametrize("other", ["--fix", "--diff", "--statistics", "--write-baseline=b", "--ignore-noqa", "-"])
def test_what_makes_no_sense_is_refused(tmp_path: Path, other: str) -> None:
    (tmp_path / "a.py").write_text(text_of("a call"), encoding="utf-8")
    done = check(tmp_path, "--add-ignore", other)
    assert done.returncode == 2
    assert "Error: --add-ignore " in done.stderr
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == text_of("a call")
