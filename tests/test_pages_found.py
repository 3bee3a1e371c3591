"""trainlint.pages finds a rule's page in a checkout, in an installed package, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint import pages

PAGE = "# some-name (TL101)\n\nÀ propos.\n"


def write(path: Path, text: str = PAGE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds a package called trainlint, whose pages are looked for."""
    monkeypatch.setattr(pages, "_PACKAGE", tmp_path / "trainlint")
    return tmp_path


def test_in_a_checkout_the_pages_lie_beside_the_package(root: Path) -> None:
    write(root / "pyproject.toml", "")
    page = write(root / "rules/distributed/TL101-some-name.md")
    assert pages.page_path("TL101") == pages.page_path("tl101") == page
    assert pages.page_text("TL101") == PAGE


def test_what_the_package_carries_wins(root: Path) -> None:
    write(root / "pyproject.toml", "")
    write(root / "rules/distributed/TL101-some-name.md")
    page = write(root / "trainlint/_pages/distributed/TL101-some-name.md")
    assert pages.page_path("TL101") == page


def test_a_folder_of_the_same_name_beside_an_installed_package_is_not_ours(root: Path) -> None:
    write(root / "rules/distributed/TL101-some-name.md")
    assert pages.page_path("TL101") is None
    assert pages.page_text("TL101") is None


@pytest.mark.parametrize("code", ["TL10", "TL1011", "", "TL", "*", "../secret", "../../rules/distributed/TL101"])
def test_only_a_whole_code_has_a_page(root: Path, code: str) -> None:
    write(root / "pyproject.toml", "")
    write(root / "rules/distributed/TL101-some-name.md")
    write(root / "rules/README.md")
    assert pages.page_path(code) is None
