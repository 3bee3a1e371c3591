"""What is said of the example on each page: message, place and reasons. ``python -m tests.said`` writes it anew, to be read."""

from __future__ import annotations

import tempfile
from pathlib import Path

from trainlint import check_paths
from trainlint.dev import declared, pages
from trainlint.dev.page_text import parse_page

FOLDER = Path(__file__).parent / "said"


def page_files() -> list[Path]:
    """All pages with an example that can be run."""
    return [path for path in pages.pages_of(declared.pages_folder()) if path.stem[:5] not in pages.UNSHOWN]


def said(page: Path) -> str:
    """A finding in a line, its reasons below; lines and columns are 1-based, end columns exclusive."""
    parsed = parse_page(page.read_text(encoding="utf-8"))
    section = parsed.section("Example")
    lines: list[str] = []
    for number, project in enumerate(section.projects() if section is not None else [], 1):
        lines.append(f"# example {number}")
        with tempfile.TemporaryDirectory(prefix="trainlint-said-") as folder:
            root = Path(folder).resolve()
            for name, block in project.files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(block.text, encoding="utf-8", newline="\n")
            for found in check_paths([root], select=[parsed.code]):
                where = f"{found.path.relative_to(root).as_posix()}:{'{}:{}-{}:{}'.format(*found.span)}"
                lines += [f"{where} {found.level.value}: {each}" for each in found.message.splitlines()]
                lines += [
                    f"    {each.path.relative_to(root).as_posix()}:{'{}:{}-{}:{}'.format(*each.span)} {each.message}"
                    for each in found.related
                ]
                if found.repair is not None:
                    lines.append(f"    {found.repair.applicability.value} repair: {found.repair.message}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write what is said today."""
    FOLDER.mkdir(exist_ok=True)
    for page in page_files():
        (FOLDER / f"{page.stem[:5]}.txt").write_text(said(page), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
