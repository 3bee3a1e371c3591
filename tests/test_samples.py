"""The sample repositories: reported exactly as their comments say, silent when repaired, and whatever their names are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.renaming import rename_project, renamed_path
from trainlint import check_paths
from trainlint.app.dev import expectations
from trainlint.codes import COVERED_BY
from trainlint.finding import Finding

SAMPLES = Path(__file__).parent.parent / "sample_repos"
RULES = {
    "ddp_classifier": {"TL101", "TL102", "TL201"},
    "fsdp_lm": {"TL101", "TL102", "TL201"},
    "tpu_tagger": {"TL501", "TL502", "TL503"},
    "amp_segmenter": {"TL301", "TL302", "TL401"},
    "accelerate_summarizer": {"TL101", "TL102", "TL301", "TL302"},
}
PLANTED = list(RULES)
CLEAN = [f"{name}_clean" for name in PLANTED]
ROW = re.compile(r"^\| (TL\d{3}) \| `([\w/.]+)` \| `([\w.]+)` \|", re.MULTILINE)


@pytest.fixture(scope="module")
def found() -> list[Finding]:
    """What the main job of the README finds: all samples at once, which is what a user sees."""
    return check_paths([SAMPLES], isolated=False)


@pytest.mark.parametrize("name", [*PLANTED, *CLEAN])
def test_findings_are_the_planted_ones(name: str, found: list[Finding]) -> None:
    root = SAMPLES / name
    differences = expectations.problems(root, [each for each in found if each.path.resolve().is_relative_to(root)])
    assert not differences, expectations.explain(root, differences)


@pytest.mark.parametrize("name", [*PLANTED, *CLEAN])
def test_findings_do_not_depend_on_names(name: str, tmp_path: Path) -> None:
    rename_project(SAMPLES / name, tmp_path)
    differences = expectations.problems(tmp_path, check_paths([tmp_path]))
    assert not differences, expectations.explain(tmp_path, differences)


@pytest.mark.parametrize("name", PLANTED)
def test_every_rule_is_planted_more_than_once(name: str) -> None:
    # the special codes of a divergence count as the general one: they are one mistake
    codes = [COVERED_BY.get(each.code, each.code) for each in expectations.read_project(SAMPLES / name)]
    assert {code: codes.count(code) > 1 for code in codes} == dict.fromkeys(RULES[name], True)


@pytest.mark.parametrize("name", CLEAN)
def test_twins_expect_nothing_and_have_the_same_files(name: str) -> None:
    root, planted = SAMPLES / name, SAMPLES / name.removesuffix("_clean")
    assert expectations.read_project(root) == []
    assert _files(root) == _files(planted)


@pytest.mark.parametrize("name", PLANTED)
def test_readme_lists_what_is_planted(name: str) -> None:
    root = SAMPLES / name
    planted = [(each.code, each.path, _function_at(root / each.path, each.line)) for each in expectations.read_project(root)]
    assert sorted(ROW.findall((root / "README.md").read_text(encoding="utf-8"))) == sorted(planted)


@pytest.mark.parametrize("name", [*PLANTED, *CLEAN])
def test_renaming_keeps_lines_and_leaves_no_old_name(name: str, tmp_path: Path) -> None:
    root = SAMPLES / name
    new = rename_project(root, tmp_path)
    assert _files(tmp_path) == sorted(renamed_path(path, new) for path in _files(root))
    for path in _files(root):
        before = (root / path).read_text(encoding="utf-8")
        after = (tmp_path / renamed_path(path, new)).read_text(encoding="utf-8")
        assert _expected_lines(before) == _expected_lines(after)
        assert len(before.splitlines()) == len(after.splitlines())
        assert _bare_names(after).isdisjoint(new), path


def test_renaming_by_example(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "pack").mkdir(parents=True)
    (source / "pack" / "ranks.py").write_text(
        "import torch.distributed as dist\n\ndef is_main(group=None):\n    return dist.get_rank(group=group) == 0\n"
    )
    (source / "run.py").write_text(
        "import pack.ranks\nfrom pack.ranks import is_main as main\n\nclass Job:\n    def go(self, step):\n"
        "        self.chief = main(group=None)\n        print(f'{step}', pack.ranks.is_main(), sep=step, end='chief')\n"
    )
    new = rename_project(source, tmp_path / "target")
    assert set(new) == {"pack", "ranks", "run", "is_main", "group", "main", "Job", "go", "self", "step", "chief"}
    pack, ranks, main, group = new["pack"], new["ranks"], new["main"], new["group"]
    assert (tmp_path / "target" / pack / f"{ranks}.py").read_text() == (
        f"import torch.distributed as dist\n\ndef {new['is_main']}({group}=None):\n    return dist.get_rank(group={group}) == 0\n"
    )
    assert (tmp_path / "target" / f"{new['run']}.py").read_text() == (
        f"import {pack}.{ranks}\nfrom {pack}.{ranks} import {new['is_main']} as {main}\n\nclass {new['Job']}:\n"
        f"    def {new['go']}({new['self']}, {new['step']}):\n        {new['self']}.{new['chief']} = {main}({group}=None)\n"
        f"        print(f'{{{new['step']}}}', {pack}.{ranks}.{new['is_main']}(), sep={new['step']}, end='chief')\n"
    )


def _expected_lines(text: str) -> list[tuple[int, str]]:
    return [(each.line, each.code) for each in expectations.read_text(text, "any.py")]


def _files(root: Path) -> list[str]:
    return sorted(each.relative_to(root).as_posix() for each in root.rglob("*.py"))


def _bare_names(text: str) -> set[str]:
    """Names that stand alone in ``text``: variables, parameters, functions and classes, but neither attributes nor keywords."""
    nodes = list(ast.walk(ast.parse(text, feature_version=(3, 10))))
    defined = {each.name for each in nodes if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    parameters = {each.arg for each in nodes if isinstance(each, ast.arg)}
    return defined | parameters | {each.id for each in nodes if isinstance(each, ast.Name)}


def _function_at(path: Path, line: int) -> str:
    """``Class.method`` or ``function`` around a 1-based line; a decorator belongs to its function."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    scopes = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.ClassDef)]
    firsts = [(min([each.lineno, *(one.lineno for one in each.decorator_list)]), each) for each in scopes]
    around = sorted((first, each.name) for first, each in firsts if first <= line <= (each.end_lineno or each.lineno))
    return ".".join(name for _, name in around)
