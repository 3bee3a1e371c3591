"""Files beside the Python in a run: found, checked, compared, silenced, and never in the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.warm import check
from trainlint import check_paths
from trainlint.app.cli.main import main
from trainlint.program.program import Program
from trainlint.rules import registry
from trainlint.rules.api import Suspect, described

CONFIGURATION = """\
train_batch_size: 4
zero_optimization:
  stage: 2
  offload_param: {device: cpu}
"""


def found(path: Path) -> list[tuple[str, str, int]]:
    return [(each.code, each.path.name, each.span.line) for each in check_paths([path], select=["TL922"])]


def test_they_are_found_in_folders_and_when_they_are_given(tmp_path: Path) -> None:
    (tmp_path / "ds.yaml").write_text(CONFIGURATION)
    (tmp_path / "train.py").write_text("import torch\n")
    assert found(tmp_path) == found(tmp_path / "ds.yaml") == [("TL922", "ds.yaml", 4)]
    assert found(tmp_path / "train.py") == []


@pytest.mark.parametrize("comment", ["  # trainlint: ignore[TL922]", "  # noqa: TL922", "  # noqa"])
def test_comments_silence(tmp_path: Path, comment: str) -> None:
    (tmp_path / "ds.yaml").write_text(CONFIGURATION.rstrip() + comment + "\n")
    assert found(tmp_path) == []


def test_a_comment_above_silences(tmp_path: Path) -> None:
    text = CONFIGURATION.replace("  offload", "  # trainlint: ignore[offload-without-stage] it is meant\n  offload")
    (tmp_path / "ds.yaml").write_text(text)
    assert found(tmp_path) == []


def test_what_git_ignores_and_links_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("ignored\n")
    for folder in ("ignored", "seen"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ds.yaml").write_text(CONFIGURATION)
    (tmp_path / "link.yaml").symlink_to(tmp_path / "seen" / "ds.yaml")
    assert found(tmp_path) == [("TL922", "ds.yaml", 4)]


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe\x00",
        b"train_batch_size: \x00\x01",
        b"train_batch_size: {" * 1000,
        b"\xef\xbb\xbf" + CONFIGURATION.encode() + b"\n# " + b"x" * (300 << 10),
        b"",
    ],
)
def test_whatever_stands_in_them_the_run_goes_on(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.yaml").write_bytes(data)
    (tmp_path / "b.json").write_bytes(data)
    (tmp_path / "ds.yaml").write_text(CONFIGURATION)
    assert found(tmp_path) == [("TL922", "ds.yaml", 4)]


def test_a_file_that_is_no_python_is_not_read_as_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ds.json"
    path.write_text("{]")
    assert main(["check", "--no-cache", str(path)], standalone_mode=False) in (0, None)
    assert "TL001" not in capsys.readouterr().out


HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], list[str]]]:
    """TL101 as a rule that compares: it suspects each document that a program has, and writes down what it is asked about."""
    (rule,) = registry.load(["TL101"])
    asked: list[tuple[list[str], list[str]]] = []

    def compares(program: Program) -> Iterator[Suspect]:
        documents = list(program.documents.of(frozenset((b"train_batch_size",))))
        asked.append(([Path(path).name for path in program.modules], [Path(each.path).name for each in documents]))
        if program.modules:
            for document in documents:
                spot = document.roots[0].spot
                yield Suspect(document.path, spot, "Text", spot, document.text.splitlines()[0])

    monkeypatch.setattr(rule, "finder", compares)
    monkeypatch.setattr(rule, "repairer", described)
    monkeypatch.setattr(registry, "reads", lambda codes: {"TL101": ("deepspeed",)} if "TL101" in codes else {})
    return asked


def compared(folder: Path, *, kept: bool = False) -> list[tuple[str, str]]:
    return [(each.path.name, each.message) for each in check(folder, ("TL101",), kept=kept).findings]


def test_a_rule_that_compares_is_asked_about_both_and_about_the_documents_alone(
    tmp_path: Path, asked: list[tuple[list[str], list[str]]]
) -> None:
    (tmp_path / "ds.yaml").write_text(CONFIGURATION)
    (tmp_path / "train.py").write_text(HANGS)
    assert compared(tmp_path) == [("ds.yaml", "train_batch_size: 4")]
    assert asked == [(["train.py"], ["ds.yaml"]), ([], ["ds.yaml"])]


def test_a_rule_that_compares_is_asked_about_the_code_alone_where_nothing_lies_beside_it(
    tmp_path: Path, asked: list[tuple[list[str], list[str]]]
) -> None:
    (tmp_path / "ci.yaml").write_text("jobs: []\n")
    (tmp_path / "train.py").write_text(HANGS)
    assert compared(tmp_path) == []
    assert asked == [(["train.py"], [])]


def test_what_is_remembered_of_a_comparison_hangs_on_the_document(cached: Path, asked: list[tuple[list[str], list[str]]]) -> None:
    (cached / "ds.yaml").write_text(CONFIGURATION)
    for name in ("one", "two"):
        (cached / f"{name}.py").write_text(HANGS)
    assert compared(cached, kept=True) == [("ds.yaml", "train_batch_size: 4")]
    asked.clear()
    (cached / "one.py").write_text(HANGS + "print(1)\n")
    assert compared(cached, kept=True) == [("ds.yaml", "train_batch_size: 4")]
    assert asked == [(["one.py"], ["ds.yaml"]), ([], ["ds.yaml"])]
    asked.clear()
    (cached / "ds.yaml").write_text(CONFIGURATION.replace("4", "8", 1))
    assert compared(cached, kept=True) == [("ds.yaml", "train_batch_size: 8")]
    assert len(asked) == 3
