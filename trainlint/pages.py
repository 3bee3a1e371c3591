"""Where the rule pages are: inside an installed package, or beside it in a checkout."""

from __future__ import annotations

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
    """The address of rule ``code``'s page, as its package says it; None when nobody says one."""
    row = INSTALLED.rows.get(code)
    return None if row is None else row.url


def _pages() -> Path | None:
    """The folder with one folder of pages per family."""
    shipped = _PACKAGE / "_pages"
    if shipped.is_dir():
        return shipped
    checkout = _PACKAGE.parent
    # Beside an installed package, a folder called "rules" would be somebody else's.
    return checkout / "rules" if (checkout / "pyproject.toml").is_file() else None
