"""A new rule starts as a page that fails its test and a module that does nothing."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trainlint.app.dev import new_rule
from trainlint.app.dev.pages import HEADINGS, parse_page, run_page
from trainlint.codes import CODES
from trainlint.finding import Level
from trainlint.rules.api import Rule

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = "trainlint/catalogue.py"

PAGE = """\
# some-new-idea ({code})

TODO

## What it finds

A rank that waits for all others.

## Why it hurts

It takes time.

## Example

```py
import torch.distributed as dist

dist.barrier()  # expect: {code}
```

## Use instead

```py
print("nobody waits")
```

## When it stays silent

Where something else is called so.

```py
from threading import Barrier as barrier

barrier(2)
```

## References

- None.
"""

FOUND = """\
    from trainlint.program.call_graph import CallGraph
    from trainlint.program.values import Library

    calls = program.ask(CallGraph)
    for site in calls.sites_named("barrier"):
        call = site.call.term
        if any(isinstance(each, Library) for each in calls.targets(call, program.frame(site.module, site.function))):
            yield Suspect(
                path=site.module,
                spot=call.site,
                node="Call",
                statement=site.call.statement,
                message="every rank waits here for all others\\nThe slowest one says how long.",
            )
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with what must be there: a folder and the catalogue."""
    (tmp_path / "trainlint" / "rules" / "distributed").mkdir(parents=True)
    shutil.copyfile(ROOT / CATALOGUE, tmp_path / CATALOGUE)
    return tmp_path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the code and the rules."""
    for folder in ("trainlint", "rules"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "_prepared.py"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "TRAINLINT_NO_CACHE": "1"}
    command = [sys.executable, "-m", "trainlint", *words]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=300, check=False)


def lines_of(root: Path) -> dict[str, list[str]]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8").splitlines() for path in files}


@pytest.mark.heavy
def test_a_rule_is_written_in_two_files_and_no_third_is_edited(copy: Path) -> None:
    """What new-rule writes is filled in; that is all, and the rule is found, selected, shown, and run by its page."""
    before = lines_of(copy)
    started = run(copy, "dev", "new-rule", "distributed/some-new-idea")
    assert started.returncode == 0, started.stderr
    page, module = (Path(line.split(": ", 1)[1].strip()) for line in started.stdout.splitlines()[:2])
    code = page.name[:5]
    assert run(copy, "dev", "pages", code).returncode == 1

    page.write_text(PAGE.format(code=code), encoding="utf-8")
    written = module.read_text(encoding="utf-8").replace("    yield from ()\n", FOUND)
    declared = written.replace("needs=()", 'needs=("collective",)').replace('"TODO"', '"0.2"')
    module.write_text(declared, encoding="utf-8")
    blessed = run(copy, "dev", "pages", code, "--bless")
    assert blessed.returncode == 0, blessed.stdout + blessed.stderr
    assert "1 pages, 0 problems" in blessed.stdout

    after = lines_of(copy)
    (copy / "train.py").write_text("import torch.distributed as dist\n\ndist.barrier()\n", encoding="utf-8")
    found = run(copy, "check", "--isolated", "--select", code, "train.py")
    assert found.returncode == 1, found.stderr
    assert f"{code} " in found.stdout
    assert "every rank waits here" in found.stdout
    assert "A rank that waits" in run(copy, "rule", code).stdout

    made = {path.relative_to(copy).as_posix() for path in (page, module)}
    assert {path for path in after if path not in before} == made
    # The tools have written a line each: the row of the code, which is taken for good, and the one of the index.
    changed = {path: [line for line in after[path] if line not in before[path]] for path in before if after[path] != before[path]}
    assert changed.keys() == {CATALOGUE, "rules/README.md"}
    assert changed[CATALOGUE] == [f"{code} W -  - some-new-idea"]
    assert [code in line for line in changed["rules/README.md"]] == [True]
    assert all(len(after[path]) == len(before[path]) + 1 for path in changed)


def test_a_name_of_the_catalogue_gets_its_code(root: Path) -> None:
    page, module = new_rule.scaffold("distributed/uneven-collective-loop", root)
    assert page == root / "rules/distributed/TL109-uneven-collective-loop.md"
    assert module == root / "trainlint/rules/distributed/tl109_uneven_collective_loop.py"
    text = module.read_text(encoding="utf-8")
    ast.parse(text)
    assert 'Rule.ours(\n    code="TL109"' in text


def test_another_name_gets_the_next_free_code(root: Path) -> None:
    last = max(int(code[2:]) for code in CODES if code.startswith("TL1"))
    first, _ = new_rule.scaffold("distributed/some-new-idea", root)
    second, _ = new_rule.scaffold("distributed/another-idea", root)
    assert (first.name[:5], second.name[:5]) == (f"TL{last + 1}", f"TL{last + 2}")


def test_a_code_is_taken_in_the_catalogue(root: Path) -> None:
    planned, _ = new_rule.scaffold("distributed/uneven-collective-loop", root)
    old, new = ROOT / CATALOGUE, root / CATALOGUE
    assert planned.name[:5] in CODES
    assert new.read_bytes() == old.read_bytes()
    (root / "trainlint" / "rules" / "environment").mkdir()
    codes = [new_rule.scaffold(f"{family}/some-new-idea", root)[0].name[:5] for family in ("environment", "distributed")]
    rows = [line for line in new.read_text(encoding="utf-8").splitlines() if re.match(r"TL\d{3} [EWA] ", line)]
    assert rows == sorted(rows)
    assert [row[:5] for row in rows] == sorted((*CODES, *codes))


def test_the_new_page_has_every_heading_and_fails(root: Path) -> None:
    page, _ = new_rule.scaffold("distributed/some-new-idea", root)
    parsed = parse_page(page.read_text(encoding="utf-8"))
    assert tuple(each.heading for each in parsed.sections) == HEADINGS
    rule = Rule(parsed.code, "some-new-idea", "TODO", Level.WARNING, "flow", "none", (), "TODO")
    problems = run_page(page, lambda _root, _select: [], rule)
    assert any("still to do" in each for each in problems)
    assert any(f"{parsed.code} expected 1 time(s), reported 0" in each for each in problems)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("uneven-collective-loop", "wanted FAMILY/NAME"),
        ("distributed/Uneven_Loop", "lower case"),
        ("nowhere/some-idea", "is no family"),
        ("data/uneven-collective-loop", "not of the family"),
    ],
)
def test_names_that_cannot_be(target: str, words: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new_rule.main(target, root) == 2
    assert words in capsys.readouterr().out
    assert not (root / "rules").exists()


def test_nothing_is_overwritten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new_rule.main("distributed/uneven-collective-loop", root) == 0
    assert "dev pages TL109" in capsys.readouterr().out
    assert new_rule.main("distributed/uneven-collective-loop", root) == 2
    assert "is there already" in capsys.readouterr().out
