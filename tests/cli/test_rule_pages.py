"""Rule pages as people see them: on a terminal laid out, elsewhere Markdown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.driven import ROOT, environment, on_terminal, trainlint

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
PAGE = next((ROOT / "rules" / "data").glob("TL201-*.md")).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def shown() -> dict[int, str]:
    return {columns: on_terminal(ROOT, columns, "rule", "TL201") for columns in (80, 200)}


@pytest.mark.parametrize("columns", [80, 200])
def test_a_page_fits_its_terminal(shown: dict[int, str], columns: int) -> None:
    lines = ESCAPE.sub("", shown[columns]).splitlines()
    assert lines[0] == "missing-set-epoch (TL201)"
    assert max(map(len, lines)) <= columns
    assert not [line for line in lines if line != line.rstrip()]
    assert "\n\n\n\n" not in "\n".join(lines)
    prose = [line for line in lines if line and not line.startswith("    ")]
    assert max(map(len, prose)) in range(columns * 3 // 4 if columns == 80 else 90, 101)


def test_headings_code_and_lists_look_like_that(shown: dict[int, str]) -> None:
    text = shown[80]
    assert "\x1b[1;94mWhy it hurts\x1b[0m\n" in text
    assert not re.search(r"^#|```|`", ESCAPE.sub("", text), re.MULTILINE)
    assert "\n    import torch\n" in ESCAPE.sub("", text) or "\n    from torch" in ESCAPE.sub("", text)
    assert "expect:" not in text
    assert re.search(r"\n • handbook", ESCAPE.sub("", text))


def test_no_background_is_painted(shown: dict[int, str]) -> None:
    """What is made for dark terminals is unreadable on light ones."""
    used = {int(code) for found in ESCAPE.findall(shown[200]) for code in found[2:-1].split(";") if code}
    assert used <= {0, 1, 3, 4, *range(30, 38), *range(90, 98)}
    assert not used & {30, 37, 97}  # black and white are somebody's background


def test_no_color_leaves_the_layout(shown: dict[int, str]) -> None:
    plain = on_terminal(ROOT, 80, "rule", "TL201", NO_COLOR="1")
    assert set(ESCAPE.findall(plain)) <= {"\x1b[1m", "\x1b[0m", "\x1b[3m", "\x1b[4m", "\x1b[1;4m"}
    assert ESCAPE.sub("", plain) == ESCAPE.sub("", shown[80])


@pytest.mark.heavy
@pytest.mark.parametrize("how", ["piped", "dumb terminal", "never"])
def test_elsewhere_it_is_markdown(tmp_path: Path, how: str) -> None:
    if how == "piped":
        text = trainlint(tmp_path, "rule", "TL201").stdout
    elif how == "dumb terminal":
        text = on_terminal(tmp_path, 80, "rule", "TL201", TERM="dumb")
    else:
        text = on_terminal(tmp_path, 80, "rule", "TL201", "--color", "never")
    assert "\x1b" not in text
    without = "\n".join(re.sub(r"[ \t]*# expect: .*", "", line) for line in PAGE.rstrip("\n").split("\n"))
    assert [line for line in text.split("\n") if line.strip()] == [line for line in without.split("\n") if line.strip()]


@pytest.mark.heavy
def test_every_page_can_be_laid_out_on_a_narrow_terminal(tmp_path: Path) -> None:
    """Code that has no blank to break at, long words, wide characters: all in one process, as rich is slow to load."""
    code = (
        "import sys\nfrom trainlint.app.report import page\nfrom trainlint.app.report.style import Style\n"
        "from trainlint.codes import CODES\nfrom trainlint.pages import page_text\n"
        "for code in CODES:\n    text = page_text(code)\n    if text is not None:\n"
        "        sys.stdout.write(page.render(page.without_expectations(text), style=Style(colour=True, columns=34)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True, env=environment()
    )
    lines = ESCAPE.sub("", done.stdout).splitlines()
    assert len(lines) > 1000
    assert [line for line in lines if len(line) > 34] == []
