"""What each rule says of the example on its page is kept: a change of a message, a place or a reason shows, and can be read.

The files are what was said when they were written, not what ought to be said; pages and expectations judge that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import said


@pytest.mark.heavy
@pytest.mark.parametrize("page", said.page_files(), ids=lambda page: page.stem[:5])
def test_what_is_said_is_what_is_kept(page: Path) -> None:
    known = said.FOLDER / f"{page.stem[:5]}.txt"
    assert said.said(page) == known.read_text(encoding="utf-8"), "read the difference; if it is right: python -m tests.said"


def test_every_file_belongs_to_a_page() -> None:
    assert {path.stem for path in said.FOLDER.iterdir()} == {page.stem[:5] for page in said.page_files()}
