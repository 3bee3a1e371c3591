"""Where the rule pages are: inside an installed package, or beside it in a checkout."""

from __future__ import annotations

import functools
from pathlib import Path

from trainlint.codes import INSTALLED

_PACKAGE = Path(__file__).resolve().parent


def page_path(code: str) -> Path | None:
    """The page of rule ``code`` ("TL101", in any case), or None when there is none."""
    row = INSTALLED.rows.get(code.upper())
    if row is not None:
        return Path(row.page)
    folder = _pages()
    if folder is None:
        return None
    start = code.upper() + "-"
    return next((page for page in sorted(folder.glob("*/*.md")) if page.name.startswith(start)), None)


def page_text(code: str) -> str | None:
    """The Markdown of rule ``code``'s page, or None when there is none."""
    page = page_path(code)
    return None if page is None else page.read_text(encoding="utf-8")


def page_url(code: str) -> str | None:
    """The address of rule ``code``'s page, in its package or where trainlint was released; None: not known."""
    row = INSTALLED.rows.get(code)
    if row is not None:
        url: str | None = row.url
        return url
    rules, page = _rules_url(), page_path(code)
    return None if rules is None or page is None else f"{rules}/{page.parent.name}/{page.name}"


@functools.cache
def _rules_url() -> str | None:
    """The address of the folder of pages, from the metadata of the distribution (``hatch_build.py`` writes it)."""
    from importlib import metadata

    try:
        urls = metadata.metadata("trainlint").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return None
    return next((url for label, _, url in (each.partition(", ") for each in urls) if label == "Rules"), None)


def _pages() -> Path | None:
    """The folder with one folder of pages per family."""
    shipped = _PACKAGE / "_pages"
    if shipped.is_dir():
        return shipped
    checkout = _PACKAGE.parent
    # Beside an installed package, a folder called "rules" would be somebody else's.
    return checkout / "rules" if (checkout / "pyproject.toml").is_file() else None
