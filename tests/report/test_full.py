"""The format for people. Every expected picture was written by hand: read it before you change it."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.samples import HOIST, TRAIN, Lines, finding, unsafe
from trainlint.app.report import full
from trainlint.app.report.style import Style
from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span

PLAIN = Style(columns=80)


def drawn(one: Finding, lines: Lines | str | None = None, style: Style = PLAIN, *, unsafe: bool = False) -> str:
    lines_of = Lines() if lines is None else Lines(lines) if isinstance(lines, str) else lines
    return full.render([one], lines_of, style=style, unsafe=unsafe)


def test_a_finding_with_its_reason_its_places_and_its_repair() -> None:
    one = finding(
        message="only rank 0 runs `dist.all_reduce`\nThe others never join it, and rank 0 waits until the timeout.",
        related=(
            Place(TRAIN, Span(5, 8, 5, 17), "only rank 0 gets past here"),
            Place(Path("main.py"), Span(2, 1, 2, 6), "called from here"),
        ),
        repair=HOIST,
    )
    lines = Lines(cells={("train.py", None): Lines().text, ("main.py", None): "rank = 0\ntrain(rank, 1)\n"})
    assert drawn(one, lines) == (
        "TL101 [*] only rank 0 runs `dist.all_reduce`\n"
        " --> train.py:6:9\n"
        "  |\n"
        "4 | def train(rank, loss):\n"
        "5 |     if rank == 0:\n"
        "6 |         dist.all_reduce(loss)\n"
        "  |         ^^^^^^^^^^^^^^^^^^^^^\n"
        "7 |     return loss\n"
        "  |\n"
        "  = The others never join it, and rank 0 waits until the timeout.\n"
        " ::: train.py:5:8\n"
        "  |\n"
        "5 |     if rank == 0:\n"
        "  |        --------- only rank 0 gets past here\n"
        " ::: main.py:2:1\n"
        "  |\n"
        "2 | train(rank, 1)\n"
        "  | ----- called from here\n"
        "help: Move the call out of the `if` (apply with `--fix`)\n"
        "  |\n"
        "4 | def train(rank, loss):\n"
        "  -     if rank == 0:\n"
        "  -         dist.all_reduce(loss)\n"
        "5 +     dist.all_reduce(loss)\n"
        "6 |     return loss\n"
        "  |\n"
        "\n"
    )


def test_an_unsafe_repair_has_a_star_only_when_it_is_enabled() -> None:
    one = finding(repair=unsafe())
    hidden, shown = drawn(one), drawn(one, unsafe=True)
    assert hidden.startswith("TL101 only rank 0")
    assert shown.startswith("TL101 [*] only rank 0")
    for text in (hidden, shown):
        assert (
            "help: Move the call out of the `if` (unsafe: it may change what the program\n"
            "      does; apply with `--fix --unsafe-fixes`)\n"
        ) in text


def test_a_repair_for_display_says_that_nobody_applies_it() -> None:
    one = finding(repair=Repair(Applicability.DISPLAY, "Split the function", HOIST.edits))
    text = drawn(one, unsafe=True)
    assert text.startswith("TL101 only rank 0")
    assert "help: Split the function (a suggestion: not applied automatically)\n  |\n4 | def" in text


def test_repairs_at_several_places_and_behind_the_last_line() -> None:
    edits = (Edit(Span(1, 1, 1, 1), "import os\n"), Edit(Span(8, 1, 8, 1), "train(0, 1)\n"), Edit(Span(7, 12, 7, 16), "None"))
    text = drawn(finding(repair=unsafe(edits)))
    assert text.partition("--unsafe-fixes`)\n")[2] == (
        "  |\n"
        "1 + import os\n"
        "2 | import torch.distributed as dist\n"
        "...\n"
        "7 |         dist.all_reduce(loss)\n"
        "  -     return loss\n"
        "8 +     return None\n"
        "9 + train(0, 1)\n"
        "  |\n"
        "\n"
    )


@pytest.mark.parametrize(
    "edits",
    [
        (Edit(Span(5, 1, 6, 5), ""), Edit(Span(6, 1, 6, 9), "")),  # one over the other
        (Edit(Span(40, 1, 40, 1), "x\n"),),  # behind the end of the file
        (),
    ],
)
def test_a_repair_that_cannot_be_shown_still_has_its_title(edits: tuple[Edit, ...]) -> None:
    text = drawn(finding(repair=Repair(Applicability.SAFE, "Do it", edits)))
    assert text.endswith("  |\nhelp: Do it (apply with `--fix`)\n\n")


def test_tabs_and_wide_characters_keep_the_marks_below_the_place() -> None:
    source = "if rank == 0:\n\tprint('日本語', 'e\u0301', dist.barrier())\n"
    column = source.split("\n")[1].index("dist") + 1
    assert drawn(finding(Span(2, column, 2, column + 14)), source) == (
        "TL101 only rank 0 runs `dist.all_reduce`\n"
        " --> train.py:2:21\n"
        "  |\n"
        "1 | if rank == 0:\n"
        "2 |     print('日本語', 'e\u0301', dist.barrier())\n"
        # 4 columns for the tab, 7 for "print('", 6 for three wide letters, 8 for "', 'e', ": the accent takes none
        f"  | {' ' * (4 + 7 + 6 + 8)}{'^' * 14}\n"
        "\n"
    )


def test_control_characters_are_shown_and_not_obeyed() -> None:
    source = "x = '\x1b[2J\x07\x9b1m \u202e \u200b' + f()\n"
    one = finding(
        Span(1, 6, 1, 10),
        "bad\x1b[31m name",
        path=Path("evil\x1b[0m\r\n.py"),
        related=(Place(TRAIN, Span(1, 1, 1, 2), "from\x08here"),),
        repair=Repair(Applicability.SAFE, "do\x1bit", (Edit(Span(1, 1, 1, 2), "\x1b"),)),
    )
    text = drawn(one, source)
    assert not [char for char in text if char != "\n" and unicodedata.category(char) in {"Cc", "Cf"}]
    assert text.startswith(
        "TL101 [*] bad\\x1b[31m name\n"
        " --> evil\\x1b[0m\\x0d\\x0a.py:1:6\n"
        "  |\n"
        "1 | x = '\\x1b[2J\\x07\\x9b1m \\u202e \\u200b' + f()\n"
        "  |      ^^^^^^^\n"  # \x1b is printed in four columns
        " ::: train.py:1:1\n"
    )
    assert "- from\\x08here\n" in text
    assert "help: do\\x1bit" in text
    assert "1 + \\x1b = " in text


def test_a_statement_of_several_lines_has_a_bar_in_the_margin() -> None:
    source = "def f():\n    y = dist.all_gather(\n        xs,\n    )\n    return y\n"
    assert drawn(finding(Span(2, 9, 4, 6)), source) == (
        "TL101 only rank 0 runs `dist.all_reduce`\n"
        " --> train.py:2:9\n"
        "  |\n"
        "1 |   def f():\n"
        "2 |       y = dist.all_gather(\n"
        "  |  _________^\n"
        "3 | |         xs,\n"
        "4 | |     )\n"
        "  | |_____^\n"
        "5 |       return y\n"
        "  |\n"
        "\n"
    )


def test_a_long_statement_shows_its_first_and_last_lines() -> None:
    source = "for epoch in range(9):\n" + "".join(f"    step({number})\n" for number in range(2, 13))
    assert drawn(finding(Span(1, 1, 12, 13)), source) == (
        "TL101 only rank 0 runs `dist.all_reduce`\n"
        "  --> train.py:1:1\n"
        "   |\n"
        " 1 | / for epoch in range(9):\n"
        " 2 | |     step(2)\n"
        " 3 | |     step(3)\n"
        "...  |\n"
        "11 | |     step(11)\n"
        "12 | |     step(12)\n"
        "   | |____________^\n"
        "\n"
    )


def test_a_place_that_ends_before_a_line_ends_on_the_line_before() -> None:
    assert "3 | print(1)\n  | ^^^^^^^^\n4 | y" in drawn(finding(Span(3, 1, 4, 1)), "\n\nprint(1)\ny = 1\n")


def test_blank_lines_at_the_edges_of_a_frame_are_left_out() -> None:
    text = drawn(finding(Span(3, 1, 3, 2)), "a\n\nb\n\nc\n")
    assert text.partition("3:1\n")[2] == "  |\n1 | a\n2 |\n3 | b\n  | ^\n4 |\n5 | c\n  |\n\n"
    text = drawn(finding(Span(3, 1, 3, 2)), "\n\nb\n\n\n")
    assert text.partition("3:1\n")[2] == "  |\n3 | b\n  | ^\n\n"


def test_a_long_line_is_cut_around_the_place() -> None:
    source = f"x = '{'a' * 300}' + dist.barrier() + '{'b' * 300}'\nshort\n"
    column = source.index("dist") + 1
    text = drawn(finding(Span(1, column, 1, column + 14)), source, Style(columns=60))
    _, _, _, line, marks, second, *_ = text.split("\n")
    assert line.startswith("1 | ...aaa")
    assert line.endswith("bbb...")
    assert len(line) == 60
    assert line[marks.index("^") : marks.rindex("^") + 1] == "dist.barrier()"
    assert second == "2 | ..."  # that the line is there is said, though none of it is in view


def test_a_line_of_ten_million_characters_is_no_trouble() -> None:
    source = "a" * 5_000_000 + "(b)" + "c" * 5_000_000
    line = drawn(finding(Span(1, 5_000_001, 1, 5_000_004)), source).split("\n")[3]
    assert len(line) == 80
    assert "aaa(b)ccc" in line


def test_a_long_sentence_moves_below_the_marks() -> None:
    place = Place(
        TRAIN, Span(4, 5, 4, 10), "a sentence which is far too long to stand behind the marks of its place in this frame"
    )
    assert (
        "4 | def train(rank, loss):\n"
        "  |     -----\n"
        "  | a sentence which is far too long to stand behind the marks of its place in\n"
        "  | this frame\n"
    ) in drawn(finding(related=(place,)))


def test_without_source_lines_there_is_no_frame() -> None:
    gone = Lines(cells={})
    one = finding(related=(Place(Path("gone.py"), Span(4, 2, 4, 3), "called from here"),), repair=HOIST)
    assert drawn(one, gone) == (
        "TL101 [*] only rank 0 runs `dist.all_reduce`\n"
        " --> train.py:6:9\n"
        " ::: gone.py:4:2\n"
        "  = called from here\n"
        "help: Move the call out of the `if` (apply with `--fix`)\n"
        "\n"
    )


def test_a_notebook_is_shown_by_cell() -> None:
    lines = Lines(cells={("nb.ipynb", 3): "import os\ndist.barrier()\n"})
    text = drawn(finding(Span(2, 1, 2, 15), path=Path("nb.ipynb"), cell=3), lines)
    assert " --> nb.ipynb:cell 3:2:1\n" in text
    assert "2 | dist.barrier()\n  | ^^^^^^^^^^^^^^\n" in text
    assert lines.asked == [("nb.ipynb", 3)]


def test_colour_changes_nothing_but_the_colour() -> None:
    one = finding(message="head\nreason", related=(Place(TRAIN, Span(5, 8, 5, 17), "here"),), repair=HOIST)
    coloured = drawn(one, style=Style(colour=True, columns=80))
    assert coloured.startswith("\x1b[1;91mTL101\x1b[0m [\x1b[36m*\x1b[0m] ")
    assert _uncoloured(coloured) == drawn(one)


@pytest.mark.parametrize(("level", "code"), [(Level.ERROR, "1;91"), (Level.WARNING, "1;93"), (Level.ADVICE, "1;96")])
def test_the_level_decides_the_colour(level: Level, code: str) -> None:
    text = drawn(finding(level=level), style=Style(colour=True))
    assert text.startswith(f"\x1b[{code}mTL101\x1b[0m")
    assert f"\x1b[{code}m{'^' * 21}\x1b[0m" in text


def _uncoloured(text: str) -> str:
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", text)


_number = st.integers(-1, 12)


@given(
    source=st.text(st.sampled_from("ab \t\n\x1b日\u0301\u202e("), max_size=120),
    span=st.builds(Span, _number, _number, _number, _number),
    columns=st.integers(1, 60),
)
def test_no_span_and_no_source_breaks_the_picture(source: str, span: Span, columns: int) -> None:
    place = Place(TRAIN, span, "some words to be wrapped here")
    one = finding(span, related=(place,), repair=unsafe((Edit(span, "x\ny"),)))
    text = drawn(one, source, Style(columns=columns))
    assert not [char for char in text if char != "\n" and unicodedata.category(char) in {"Cc", "Cf"}]
    assert text.count("^") <= 2 * 60
