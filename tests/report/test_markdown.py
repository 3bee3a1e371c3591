"""The format for pull requests, read as a Markdown parser reads it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.report.samples import HOIST, TRAIN, Lines, finding, unsafe
from trainlint.app.report.formats import Look, render
from trainlint.app.report.printable import escape
from trainlint.app.report.style import Style
from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span

OURS = {"<details>", "<summary>", "</summary>", "</details>", "<!-- -->"}


def written(*findings: Finding, lines: Lines | None = None) -> str:
    return render("markdown", findings, Look(Style(), False, lines or Lines()))


def html(text: str) -> str:
    """What a reader gets to see."""
    return str(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))


def text_of(text: str) -> str:
    """The same without tags, on one line."""
    bare = re.sub(r"<[^>]*>", "", html(text))
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        bare = bare.replace(entity, char)
    return " ".join(bare.split())


def test_a_finding_with_its_reason_its_places_and_its_repair() -> None:
    one = finding(
        message="only rank 0 runs `all_reduce`\nThe others wait.",
        related=(Place(Path("main.py"), Span(2, 1, 2, 6), "called from `main`"),),
        repair=HOIST,
    )
    assert written(one) == (
        "### trainlint: 1 finding\n"
        "\n"
        "1 error.\n"
        "\n"
        "#### `train.py`\n"
        "\n"
        "- **error TL101** (line 6) only rank 0 runs `all_reduce`\n"
        "\n"
        "  <details><summary>Why, and how to repair it</summary>\n"
        "\n"
        "  The others wait.\n"
        "\n"
        "  - `main.py:2:1` called from `main`\n"
        "\n"
        "  Move the call out of the `if` (apply with `--fix`)\n"
        "\n"
        "  ```diff\n"
        "   def train(rank, loss):\n"
        "  -    if rank == 0:\n"
        "  -        dist.all_reduce(loss)\n"
        "  +    dist.all_reduce(loss)\n"
        "       return loss\n"
        "  ```\n"
        "\n"
        "  </details>\n"
    )


def test_nothing_and_many() -> None:
    assert written() == "### trainlint: no findings\n"
    many = [finding(), finding(level=Level.ADVICE), finding(path=Path("b.py")), finding(level=Level.ADVICE, path=Path("b.py"))]
    text = written(*many)
    assert text.splitlines()[:3] == ["### trainlint: 4 findings", "", "2 errors, 2 advice."]
    assert [line for line in text.splitlines() if line.startswith("####")] == ["#### `train.py`", "#### `b.py`"]
    assert "<details>" not in text  # there is nothing to fold away


def test_a_notebook() -> None:
    repair = Repair(Applicability.SAFE, "Import it", (Edit(Span(1, 1, 1, 1), "import os\n", 1),))
    text = written(finding(path=Path("a.ipynb"), cell=2, repair=repair), lines=Lines("import sys\n"))
    assert "(cell 2, line 6)" in text
    assert "in cell 1:" in text


EVIL = (
    "`</details><script>alert(1)</script>` ![x](https://example.com/x.png) [y](javascript:1) @team #12 ``` | **bold** "
    "<img src=x> &lt;"
)


def harmless(text: str) -> str:
    """Nothing but our own HTML, no link and no picture."""
    shown = html(text)
    tags = set(re.findall(r"<[^>]*>", shown))
    ours = OURS | {f"<{end}{tag}>" for tag in ("h3", "h4", "p", "ul", "li", "strong", "code", "pre", "hr /") for end in ("", "/")}
    assert tags <= ours | {'<code class="language-diff">', "<hr />"}, tags - ours
    assert shown.count("<details>") == shown.count("</details>")
    return text


@pytest.mark.parametrize("start", ["0.", "12)", "- a", "+ a", "# a", "> a", "    a"])
def test_a_reason_that_begins_like_a_list_is_none(start: str) -> None:
    harmless(written(finding(message=f"It hangs\n{start} a")))


def test_nothing_of_a_file_becomes_markup() -> None:
    lines = Lines(f"{EVIL}\n```\n</details>\n{EVIL}\n" * 3)
    edit = Repair(Applicability.UNSAFE, EVIL, (Edit(Span(2, 1, 3, 1), f"``````\n{EVIL}\n"),))
    one = finding(
        Span(1, 1, 1, 4),
        f"{EVIL}\n{EVIL}",
        name=EVIL,
        path=Path(EVIL),
        related=(Place(Path(EVIL), Span(1, 1, 1, 2), EVIL),),
        repair=edit,
    )
    text = harmless(written(one, lines=lines))
    assert "@team" not in re.sub("<code.*?</code>", "", html(text), flags=re.DOTALL)
    assert "<script>alert(1)</script>" in text_of(text)


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("<>&`/\\\n*_[]()#@:-=|~! ")), max_size=30))
def test_whatever_it_says(evil: str) -> None:
    inline = evil.replace("\n", " ").replace("\0", "")
    one = finding(
        message=f"said {evil}\n{evil}", path=Path(inline or "x"), repair=unsafe(), related=(Place(TRAIN, Span(1, 1, 1, 2), evil),)
    )
    text = harmless(written(one, lines=Lines(f"{inline}\n" * 9)))
    first = " ".join(escape(f"said {evil}".partition("\n")[0]).replace("`", "").split())
    assert first.replace(" ", "") in text_of(text).replace("`", "").replace(" ", "")


def test_a_build_server_reads_no_command_in_it() -> None:
    for command in ("##vso[task.complete]", "##[error]x", "::error::x"):
        text = written(finding(message=f"{command}\n{command}", repair=HOIST), lines=Lines(f"{command}\n" * 9))
        assert "##vso[" not in text
        assert "##[" not in text
        assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
