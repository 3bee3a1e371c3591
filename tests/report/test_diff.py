"""The diff of --diff: it must be what ``patch`` understands, and safe to look at."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainlint.app.report import diff
from trainlint.app.report.style import Style

PLAIN = Style()
PATH = Path("train.py")


def test_a_changed_line_with_three_lines_around_it() -> None:
    before = "".join(f"line {number}\n" for number in range(1, 21))
    after = before.replace("line 10\n", "line ten\nand more\n")
    assert diff.render([(PATH, before, after)], style=PLAIN) == (
        "--- train.py\n"
        "+++ train.py\n"
        "@@ -7,7 +7,8 @@\n"
        " line 7\n"
        " line 8\n"
        " line 9\n"
        "-line 10\n"
        "+line ten\n"
        "+and more\n"
        " line 11\n"
        " line 12\n"
        " line 13\n"
        "\n"
    )


def test_files_without_a_last_line_end_and_files_that_become_empty() -> None:
    assert diff.render([(PATH, "import os\nx=1", "x=1"), (Path("b.py"), "import os\n", "")], style=PLAIN) == (
        "--- train.py\n"
        "+++ train.py\n"
        "@@ -1,2 +1 @@\n"
        "-import os\n"
        " x=1\n"
        "\\ No newline at end of file\n"
        "\n"
        "--- b.py\n"
        "+++ b.py\n"
        "@@ -1 +0,0 @@\n"
        "-import os\n"
        "\n"
    )


def test_nothing_changed_says_nothing() -> None:
    assert not diff.render([(PATH, "a\n", "a\n")], style=PLAIN)


def test_a_notebook_is_compared_by_cell() -> None:
    def notebook(*sources: str | list[str]) -> str:
        return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in sources]})

    before = notebook("same", ["import os\n", "x = 1"], "y = 1\n")
    after = notebook("same", ["x = 1"], "y = 2\n")
    assert diff.render([(Path("nb.ipynb"), before, after)], style=PLAIN) == (
        "--- nb.ipynb:cell 2\n"
        "+++ nb.ipynb:cell 2\n"
        "@@ -1,2 +1 @@\n"
        "-import os\n"
        " x = 1\n"
        "\\ No newline at end of file\n"
        "\n"
        "--- nb.ipynb:cell 3\n"
        "+++ nb.ipynb:cell 3\n"
        "@@ -1 +1 @@\n"
        "-y = 1\n"
        "+y = 2\n"
        "\n"
    )


@pytest.mark.parametrize("text", ["not json", "[]", '{"cells": [{}]}', '{"cells": 1}'])
def test_a_broken_notebook_is_compared_as_text(text: str) -> None:
    assert diff.render([(Path("nb.ipynb"), text, text + " ")], style=PLAIN).startswith(
        "--- nb.ipynb\n+++ nb.ipynb\n@@ -1 +1 @@\n"
    )


def test_for_patch_every_byte_stays_and_for_a_terminal_controls_are_escaped() -> None:
    change = (PATH, "a\r\n", "a\x1b[2J\tb\r\n")
    assert "+a\x1b[2J\tb\r\n" in diff.render([change], style=PLAIN)
    shown = diff.render([change], style=PLAIN, for_terminal=True)
    assert "-a\n+a\\x1b[2J  b\n" in shown
    assert "\x1b" not in shown
    assert "\r" not in shown


def test_colours() -> None:
    text = diff.render([(PATH, "a\n", "b\n")], style=Style(colour=True))
    assert text == "--- train.py\n+++ train.py\n@@ -1 +1 @@\n\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n\n"


def test_a_long_file_takes_no_long_time() -> None:
    lines = [f"x{number % 50} = {number}\n" if number % 3 else "\n" for number in range(100_000)]
    changed = [*lines[:99_000], "new\n", *lines[99_000:]]
    started = time.process_time()
    text = diff.render([(PATH, "".join(lines), "".join(changed))], style=PLAIN)
    assert time.process_time() - started < 5
    assert "@@ -98998,6 +98998,7 @@\n" in text


_line = st.text(st.sampled_from("ab -+\r"), max_size=3)


@given(st.lists(_line, max_size=30), st.lists(_line, max_size=30), st.integers(0, 20))
def test_applied_to_the_old_text_it_gives_the_new_one(old: list[str], new: list[str], common: int) -> None:
    start = "".join(f"{number}\n" for number in range(common))
    before, after = start + "\n".join(old), start + "\n".join(new)
    assert _patched(before, list(diff.unified("x", before, after))) == after


def _patched(text: str, lines: list[str]) -> str:
    """What ``patch`` would make of ``text``: an independent reading of the format."""
    old = re.findall(r"[^\n]*\n|[^\n]+", text)
    new: list[str] = []
    at, sign = 0, ""
    for line in lines[2:]:
        if line.startswith("@@"):
            match = re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n", line)
            assert match is not None
            start = int(match[1]) - (match[2] != "0")
            new += old[at:start]
            at = start
            assert len(new) == int(match[3]) - (match[4] != "0")
        elif line.startswith("\\"):
            if sign == "-":
                continue
            new[-1] = new[-1].removesuffix("\n")
        else:
            sign, body = line[0], line[1:]
            if sign in " -":
                assert old[at].removesuffix("\n") == body.removesuffix("\n")
                at += 1
            if sign in " +":
                new.append(body)
    return "".join(new + old[at:])
