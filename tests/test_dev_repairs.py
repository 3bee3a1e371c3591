"""``trainlint dev repairs`` sees harm, and repairs do none to the sample repositories, the expectations and the pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.expectations import CASES
from tests.test_samples import SAMPLES
from trainlint.app.dev import catalogue, pages, repairs
from trainlint.app.dev.pages import parse_page
from trainlint.app.dev.repairs import harm
from trainlint.edits import apply
from trainlint.finding import Applicability, Edit, Finding, Level, Repair, Span

BEFORE = b"import torch\n\n\ndef f(path):\n    x = torch.load(path)  # all of it\n    return x\n"
AFTER = BEFORE.replace(b"(path)  #", b"(path, weights_only=True)  #")
REPAIR = Repair(Applicability.UNSAFE, "", (Edit(Span(5, 24, 5, 24), ", weights_only=True"),))
STEP = (BEFORE.decode().split("\n"), [Finding("TL601", "", Level.ERROR, Path("a.py"), Span(5, 9, 5, 25), "", repair=REPAIR)])


@pytest.mark.parametrize(
    ("after", "complaint"),
    [
        (AFTER, None),
        (BEFORE, None),
        (AFTER.replace(b"(path,", b"path,"), "does not parse any more"),
        (AFTER.replace(b"return x", b"return  x"), "a line changed that no edit names"),
        (AFTER.replace(b"  # all of it", b""), "a comment is gone: # all of it"),
        (AFTER.replace(b"x\n", b"x\r\n"), "it has line ends that it did not have"),
        (AFTER[:-1], "it ends in another way"),
        (b"\xef\xbb\xbf" + AFTER, "its byte order mark is another one"),
    ],
)
def test_harm_is_seen(after: bytes, complaint: str | None) -> None:
    found = list(harm(Path("a.py"), BEFORE, after, [STEP]))
    assert found[:1] == ([] if complaint is None else [complaint])


def test_a_change_that_nobody_offered_is_harm() -> None:
    assert list(harm(Path("a.py"), BEFORE, AFTER, [])) == ["changed, and no repair was offered"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "owner+name"
    folder.mkdir()
    (folder / "a.py").write_bytes(BEFORE)
    return folder


def test_the_table_counts_what_was_repaired(repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert repairs.main([tmp_path], tmp_path / "diffs") == 0
    assert "TL601       0       1" in capsys.readouterr().out
    assert "+    x = torch.load(path, weights_only=True)  # all of it" in (tmp_path / "diffs").read_text()
    assert (repository / "a.py").read_bytes() == BEFORE, "the original is repaired, not a copy"


@pytest.mark.usefixtures("repository")
def test_a_repair_that_harms_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = apply.apply_edits
    monkeypatch.setattr("trainlint.edits.notebooks.apply_edits", lambda code, edits: made(code, edits).replace("def f", "def  f"))
    assert repairs.main([tmp_path]) == 1
    said = capsys.readouterr().out
    assert "owner+name/a.py: all repairs: a line changed that no edit names" in said


def test_no_repository_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert repairs.main([]) == 2
    assert "no folder" in capsys.readouterr().out
    del tmp_path


def examples(folder: Path) -> Path:
    """The bad examples of all pages, as one repository."""
    for path in pages.pages_of(catalogue.pages_folder()):
        section = parse_page(path.read_text(encoding="utf-8")).section("Example")
        for number, project in enumerate(section.projects() if section is not None else []):
            for name, block in project.files.items():
                target = folder / f"{path.stem[:5].lower()}_{number}" / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(block.text, encoding="utf-8")
    return folder


@pytest.mark.heavy
@pytest.mark.parametrize("what", ["samples", "pages"])
def test_repairs_do_no_harm(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = SAMPLES if what == "samples" else examples(tmp_path)
    assert repairs.main([folder]) == 0, capsys.readouterr().out


# Each case alone, by its own rule, is repaired in tests/test_fixes.py; here, with all rules, in some folders.
@pytest.mark.heavy
@pytest.mark.parametrize("folder", sorted(CASES.iterdir())[::12], ids=lambda folder: folder.name)
def test_repairs_do_no_harm_to_the_expectations(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert repairs.main([folder]) == 0, capsys.readouterr().out
