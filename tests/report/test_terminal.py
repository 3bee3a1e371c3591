"""Text made safe and measured, colour wanted or not, pages, the progress bar."""

from __future__ import annotations

import io
import re
import sys

import pytest

from trainlint.app.report import page, printable
from trainlint.app.report.progress import ProgressBar
from trainlint.app.report.style import ColourChoice, Style, wants_colour


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 日本 ×", "plain é 日本 ×"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\tb\nc\r", "a\\x09b\\x0ac\\x0d"),
        ("\x7f\x85\x9b", "\\x7f\\x85\\x9b"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("\u200b\ufeff\u2028", "\\u200b\\ufeff\\u2028"),
        ("\udcff\U000e0001", "\\udcff\\U000e0001"),
    ],
)
def test_escape(text: str, shown: str) -> None:
    assert printable.escape(text) == shown


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本語", 6), ("e\u0301", 1), ("Ａ", 2), ("ｱ", 1), ("é", 1)])  # noqa: RUF001
def test_width(text: str, columns: int) -> None:
    assert printable.width(text) == columns


def test_wrap_keeps_long_words_whole() -> None:
    assert printable.wrap("aa bb cccccccc dd", 5) == ["aa bb", "cccccccc", "dd"]
    assert printable.wrap("日本 語", 6) == ["日本", "語"]
    assert printable.wrap("", 6) == [""]


@pytest.mark.parametrize(
    ("choice", "terminal", "environ", "expected"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", True, {"FORCE_COLOR": "0"}, True),
        ("auto", True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_when_colour_is_wanted(choice: ColourChoice, terminal: bool, environ: dict[str, str], expected: bool) -> None:
    assert wants_colour(choice, environ, is_terminal=terminal) is expected


PAGE = """\
# missing-set-epoch (TL201)

## Example

```py
for epoch in range(9):  # expect: TL201
    # expect-not-yet: TL202, TL203
    x = 1  # expect: TL101, TL102  # the reason
    y = "a"  # expected: nothing

```
"""


def test_a_page_without_its_expectations() -> None:
    assert page.without_expectations(PAGE) == (
        "# missing-set-epoch (TL201)\n"
        "\n"
        "## Example\n"
        "\n"
        "```py\n"
        "for epoch in range(9):\n"
        "    x = 1  # the reason\n"
        '    y = "a"  # expected: nothing\n'
        "\n"
        "```\n"
    )


def test_a_page_without_colour_is_its_markdown() -> None:
    assert page.render("# a\x1b[2J\n\n\tb\n\n", style=Style()) == "# a\\x1b[2J\n\n    b\n"


def test_a_page_on_a_terminal_is_laid_out() -> None:
    text = page.render(PAGE, style=Style(colour=True, columns=50))
    assert "\x1b[" in text
    assert "```" not in text
    assert "##" not in text
    assert "missing-set-epoch (TL201)" in text


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_progress_bar_comes_after_a_second_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    stderr.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    clock = Clock()
    with ProgressBar(clock=clock) as bar:
        clock.now = 100.99
        bar(1, 3, "reading")
        assert not stderr.getvalue()
        clock.now = 101.01
        bar(2, 3, "reading")
        bar(3, 3, "judging")
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stderr.getvalue())
    assert "judging" in shown
    assert "3/3 files 0:00:00" in shown
    assert stderr.getvalue().endswith("\x1b[2K")  # the line was erased


def test_a_short_run_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    with ProgressBar(clock=Clock()) as bar:
        bar(1, 1, "reading")
    assert not stderr.getvalue()
