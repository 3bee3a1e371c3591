"""Which comments suppress what, which of them are idle or unknown, and what removing them leaves."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainlint.app.engine.suppression import Suppressions, honoured_lines
from trainlint.codes import DEFAULT
from trainlint.finding import Edit


class Text:
    """A file as far as suppression looks at it."""

    def __init__(self, text: str) -> None:
        self.data = text.encode("utf-8")
        self.text = text
        self.lines = re.split(r"\r\n|\r|\n", text)
        if self.lines[-1] == "" and len(self.lines) > 1:
            self.lines.pop()

    def offset(self, line: int, column: int) -> int:
        starts = [0] + [end.end() for end in re.finditer(r"\r\n|\r|\n", self.text)]
        assert line <= len(starts)
        return starts[line - 1] + column - 1

    def applied(self, edits: tuple[Edit, ...]) -> str:
        text, before = self.text, len(self.text)
        for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
            start = self.offset(edit.span.line, edit.span.column)
            end = self.offset(edit.span.end_line, edit.span.end_column)
            assert start <= end <= before, "edits overlap"
            text, before = text[:start] + edit.content + text[end:], start
        return text


def parse(text: str) -> Suppressions:
    return Suppressions.parse(Text(text))


def every(_: str) -> bool:
    return True


def suppresses(comment: str, code: str) -> bool:
    return parse(f"x = 1  {comment}\n").match(code, [1]) is not None


# ---- what is suppressed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "comment",
    [
        "# trainlint: ignore[TL101]",
        "#trainlint:ignore[TL101]",
        "# trainlint: ignore [TL101]",
        "# trainlint: ignore[TL201, TL101]",
        "# trainlint: ignore[TL201,TL101] only rank 0 is here",
        "# trainlint: ignore[rank-conditional-collective]",
        "# trainlint: ignore",
        "# trainlint: ignore because the launcher starts one rank",
        "# trainlint: ignore-file[TL101]",
        "# trainlint: ignore-file",
        "# noqa",
        "#NOQA",
        "# NoQA some text",
        "# noqa: TL101",
        "# noqa:TL101",
        "# noqa : TL101",
        "# noqa: E501, TL101",
        "# noqa: E501 TL101 and some text",
        "# type: ignore  # trainlint: ignore[TL101]",
        "# trainlint: ignore[TL201]  # noqa: TL101",
        "# pylint: disable=x # trainlint: ignore[TL101] # noqa: E501",
    ],
)
def test_suppresses(comment):
    assert suppresses(comment, "TL101")


@pytest.mark.parametrize(
    "comment",
    [
        "# trainlint: ignore[TL201]",
        "# trainlint: ignore[TL1]",
        "# trainlint: ignore[tl101]",
        "# trainlint: ignore[]",
        "# trainlint: ignore[TL101",
        "# trainlint: ignore TL101",
        "# trainlint: ignore: TL101",
        "# trainlint: ignor[TL101]",
        "# trainlint: uniform",
        "# trainlint ignore[TL101]",
        "# mytrainlint: ignore[TL101]",
        "# noqa: E501",
        "# noqa: TL201",
        "# noqa: TL1011",
        "# noqa: some text",
        "# noqanything",
        "# ruff: noqa",
        "# flake8: noqa",
        "# write `# noqa` here",
        '# write "# trainlint: ignore" here',
    ],
)
def test_does_not_suppress(comment):
    assert not suppresses(comment, "TL101")


@pytest.mark.parametrize(
    "line",
    [
        'x = "# trainlint: ignore[TL101]"',
        "x = '''# noqa'''",
        'x = f"{y} # noqa: TL101"',
        "x = '''\n# trainlint: ignore-file\n'''",
        '"""Write\n# trainlint: ignore-file[TL101]\nat the top."""',
    ],
)
def test_strings_do_not_count(line):
    suppressions = parse(f"{line}\n")
    assert suppressions.match("TL101", [1, 2, 3]) is None
    assert suppressions.unused(every) == []
    assert suppressions.unknown() == []


def test_comment_after_a_string_that_quotes_it():
    suppressions = parse('x = "# trainlint: ignore[TL201]"# trainlint: ignore[TL101]\n')
    assert suppressions.match("TL101", [1])
    assert not suppressions.match("TL201", [1])


def test_only_the_lines_asked_about():
    suppressions = parse("a(\n    b,  # trainlint: ignore[TL101]\n)  # trainlint: ignore[TL201]\n")
    assert not suppressions.match("TL101", honoured_lines(1, 3))
    assert suppressions.match("TL201", honoured_lines(1, 3))


def test_honoured_lines():
    assert honoured_lines(4, 4) == (4,)
    assert honoured_lines(4, 9) == (4, 9)
    assert honoured_lines(4, 9, header_last=6) == (4, 6, 9)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_form_feeds(end):
    suppressions = parse(end.join(["x = 1", "\f", "y = 'ü'  # trainlint: ignore[TL101]", ""]))
    assert suppressions.match("TL101", [3])
    assert not suppressions.match("TL101", [1, 2, 4])


def test_the_general_code_covers_the_special_ones():
    suppressions = parse("x = 1  # trainlint: ignore[TL101]\ny = 1  # trainlint: ignore[TL104]\n")
    assert suppressions.match("TL104", [1])
    assert not suppressions.match("TL102", [1])
    assert not suppressions.match("TL101", [2])
    assert [part.codes for part in suppressions.unused(every)] == [("TL104",)]


def test_reason_is_kept():
    directive = parse("x = 1  # trainlint: ignore[TL101] -- one rank: see #12  # noqa: E501\n").match("TL101", [1])
    assert directive is not None
    assert directive.reason == "one rank: see #12"
    assert directive.kind == "ignore"
    bare = parse("x = 1  # trainlint: ignore: a test\n").match("TL101", [1])
    assert bare is not None
    assert bare.reason == "a test"


def test_file_wide_comment_may_stand_anywhere():
    suppressions = parse("x = 1\ny = 2\n# trainlint: ignore-file[TL201] generated\n")
    assert suppressions.match("TL201", [1])
    assert not suppressions.match("TL101", [1])


# ---- which comment is used ------------------------------------------------------------------------------------------


def test_the_most_particular_comment_is_used():
    text = "# trainlint: ignore-file[TL101]\nx = 1  # trainlint: ignore  # noqa: TL101\n"
    suppressions = parse(text)
    directive = suppressions.match("TL101", [2])
    assert directive is not None
    assert directive.kind == "noqa"
    assert [part.directive.kind for part in suppressions.unused(every)] == ["ignore-file", "ignore"]


def test_what_is_not_selected_is_not_unused():
    suppressions = parse("x = 1  # trainlint: ignore[TL101, TL201]\n")
    assert suppressions.unused(lambda code: code == "TL002") == []
    assert [part.codes for part in suppressions.unused(lambda code: code == "TL201")] == [("TL201",)]


def test_covering_code_is_unused_when_a_special_one_is_selected():
    text = "x = 1  # trainlint: ignore[TL101]\n"
    assert len(parse(text).unused(lambda code: code == "TL109")) == 1
    assert parse(text).unused(lambda code: code == "TL110") == []


def test_bare_comment_is_unused_only_under_the_whole_default_selection():
    text = "x = 1  # trainlint: ignore\n"
    assert len(parse(text).unused(DEFAULT.__contains__)) == 1
    assert parse(text).unused(lambda code: code != "TL101") == []
    used = parse(text)
    assert used.match("TL101", [1])
    assert used.unused(every) == []


def test_bare_noqa_is_never_unused():
    assert parse("x = 1  # noqa\n").unused(every) == []
    assert parse("x = 1  # noqa: E501\n").unused(every) == []


def test_comment_about_comments():
    assert parse("x = 1  # trainlint: ignore[TL101, TL002] both worlds\n").unused(every) == []
    assert parse("# trainlint: ignore-file[TL002]\nx = 1  # noqa: TL101\n").unused(every) == []
    assert parse("x = 1  # trainlint: ignore[TL999, TL003]\n").unknown() == []
    bare = parse("x = 1  # trainlint: ignore\n")
    assert not bare.match("TL002", [1])
    assert parse("x = 1  # trainlint: ignore[TL002]\n").match("TL002", [1])


def test_other_findings_do_not_use_a_code():
    suppressions = parse("x = 1  # trainlint: ignore[TL101, TL201, TL202]\n")
    suppressions.match("TL201", [1])
    (part,) = suppressions.unused(every)
    assert part.codes == ("TL101", "TL202")
    assert (part.span.column, part.span.end_column) == (28, 47)
    assert part.directive.used == {"TL201"}


# ---- what removing leaves -------------------------------------------------------------------------------------------


def repaired(text: str, used: tuple[str, ...] = ()) -> str:
    source = Text(text)
    suppressions = Suppressions.parse(source)
    for code in used:
        assert suppressions.match(code, range(1, len(source.lines) + 1))
    (part,) = suppressions.unused(every)
    return source.applied(part.edits)


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("  # trainlint: ignore[TL101]", ""),
        ("  # trainlint: ignore[TL101] with a reason  ", ""),
        ("\t# trainlint: ignore", ""),
        ("  # trainlint: ignore[]", ""),
        ("  # noqa: TL101", ""),
        ("  # noqa: TL101, TL201", ""),
        ("  # noqa: TL101 what x is", "  # what x is"),
        ("  # noqa: TL101 - what x is", "  # what x is"),
        ("  # noqa: E501, TL101", "  # noqa: E501"),
        ("  # noqa: TL101,E501", "  # noqa: E501"),
        ("  # noqa: TL101 E501 text", "  # noqa: E501 text"),
        ("  # noqa: E501, TL101, W291 text", "  # noqa: E501, W291 text"),
        ("  # type: ignore  # trainlint: ignore[TL101]", "  # type: ignore"),
        ("  # trainlint: ignore[TL101]  # type: ignore", "  # type: ignore"),
        ("  # trainlint: ignore[TL101] reason # noqa: E501", "  # noqa: E501"),
        ("  # noqa: TL101  # type: ignore", "  # type: ignore"),
        ("  # trainlint: ignore[TL101, TL999]", "  # trainlint: ignore[TL999]"),
    ],
)
def test_removal(comment, left):
    assert repaired(f"x = 'ü'{comment}\ny = 2\n") == f"x = 'ü'{left}\ny = 2\n"


@pytest.mark.parametrize(
    ("used", "left"),
    [
        (("TL201", "TL202"), "[TL201, missing-distributed-sampler] why"),
        (("TL101", "TL202"), "[TL101, missing-distributed-sampler] why"),
        (("TL101", "TL201"), "[TL101, TL201] why"),
        (("TL101",), "[TL101] why"),
        (("TL201",), "[TL201] why"),
        (("TL202",), "[missing-distributed-sampler] why"),
    ],
)
def test_removal_of_some_codes(used, left):
    text = "x = 1  # trainlint: ignore[TL101, TL201, missing-distributed-sampler] why\n"
    assert repaired(text, used) == f"x = 1  # trainlint: ignore{left}\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("x = 1\n    # trainlint: ignore[TL101]\ny = 2\n", "x = 1\ny = 2\n"),
        ("# trainlint: ignore-file[TL101] old\nx = 1\n", "x = 1\n"),
        ("x = 1\r\n# trainlint: ignore[TL101]\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
        ("x = 1\n# trainlint: ignore[TL101]", "x = 1\n"),
        ("x = 1  # trainlint: ignore[TL101]", "x = 1"),
    ],
)
def test_removal_of_a_whole_line(text, left):
    assert repaired(text) == left


CODES = st.sampled_from(["TL101", "TL201", "TL202", "missing-distributed-sampler", "TL999", "TL102"])


@given(
    st.lists(CODES, max_size=5), st.sets(st.sampled_from(["TL101", "TL201", "TL202", "TL102"])), st.sampled_from([", ", ",", " "])
)
def test_after_the_repair_nothing_is_idle_and_the_same_is_suppressed(names, fired, separator):
    source = Text(f"x = 1  # trainlint: ignore[{separator.join(names)}]\n")
    before = Suppressions.parse(source)
    silent = {code for code in fired if before.match(code, [1])}
    for part in before.unused(every):
        source = Text(source.applied(part.edits))
    after = Suppressions.parse(source)
    assert {code for code in fired if after.match(code, [1])} == silent
    assert after.unused(every) == []
    assert source.text.startswith("x = 1")


# ---- what is unknown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "text", "nearest"),
    [
        ("# trainlint: ignore[TL1O1]", "TL1O1", "TL101"),
        ("# trainlint: ignore[TL201, mising-set-epoch] why", "mising-set-epoch", "missing-set-epoch"),
        ("# trainlint: ignore-file[tl101]", "tl101", "TL101"),
        ("# trainlint: ignore[zzz]", "zzz", None),
        ("# noqa: E501, TL999", "TL999", "TL909"),
        ("# trainlint: ignor[TL101]", "ignor", "ignore"),
        ("# trainlint: ignore TL101", "ignore TL101", "ignore[TL101]"),
        ("# trainlint: ignore[TL101 why", "ignore[TL101 why", "ignore[TL101]"),
        ("# trainlint: unifrom", "unifrom", "uniform"),
    ],
)
def test_unknown(comment, text, nearest):
    line = f"x = 'ü'  {comment}  # type: ignore"
    (unknown,) = parse(f"{line}\n").unknown()
    assert (unknown.text, unknown.nearest) == (text, nearest)
    assert line[unknown.span.column - 1 : unknown.span.end_column - 1] == text
    assert (unknown.span.line, unknown.span.end_line) == (1, 1)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: TL1",
        "# noqa: TL1234",
        "# noqa: TLX001",
        "# noqa: E501",
        "# noqa: text",
        "# trainlint: is a linter",
        "# trainlint: uniform",
    ],
)
def test_not_unknown(comment):
    suppressions = parse(f"x = 1  {comment}\n")
    assert suppressions.unknown() == []
    assert suppressions.unused(every) == []


def test_unknown_code_is_not_unused():
    assert parse("x = 1  # trainlint: ignore[TL999]\n").unused(every) == []


def test_words_for_the_analysis():
    suppressions = parse("a = 1  # trainlint: uniform\nb = 2\n# trainlint: per-rank by design\nc = '# trainlint: collective'\n")
    assert suppressions.words == {1: "uniform", 3: "per-rank"}
    assert suppressions.match("TL101", [1, 3]) is None


# ---- cost and bad input ---------------------------------------------------------------------------------------------


def test_a_file_without_such_comments_is_not_tokenized(monkeypatch):
    monkeypatch.setattr("tokenize.generate_tokens", None)
    for text in ("x = 1  # a comment\n", "x = 1  # noqa: E501\n", "noqa = 'trainlint: ignore'\n"):
        suppressions = parse(text)
        assert suppressions.match("TL101", [1]) is None
        assert suppressions.unused(every) == []
        assert suppressions.unknown() == []
        assert suppressions.words == {}
    elsewhere = parse("x = 1  # noqa\ny = 2\n")
    assert elsewhere.match("TL101", [2]) is None
    assert elsewhere.unused(every) == []


@pytest.mark.parametrize("broken", ["y = (1,\n", "'''\n", "  x = 1\n y = 2\n", "y = '\n", "\0\n"])
def test_what_cannot_be_tokenized(broken):
    suppressions = parse(f"{broken}\nx = 1  # trainlint: ignore[TL101]\ny = ' # trainlint: ignore[TL101]\n")
    line = broken.count("\n") + 2
    assert suppressions.match("TL101", [line])
    assert not suppressions.match("TL101", [line + 1])
    assert suppressions.unused(every) == []


def test_a_huge_file_is_guessed_at():
    text = "x = 1  # trainlint: ignore[TL101]\ny = '# trainlint: ignore[TL101]'\n" + "x = 1\n" * 400_000
    began = time.perf_counter()
    suppressions = parse(text)
    assert suppressions.match("TL101", [1])
    assert not suppressions.match("TL101", [2])
    assert suppressions.unused(every) == []
    assert time.perf_counter() - began < 5


@given(st.text(alphabet=st.sampled_from(list("#trainlint: ignore[TL101,]noqa:\n\r\"'(\\ \t\f\0ü")), max_size=80))
def test_nothing_raises_and_places_are_inside(noise):
    source = Text(f"x = 1 # trainlint: ignore{noise}")
    suppressions = Suppressions.parse(source)
    suppressions.match("TL101", [1, 2])
    for part in suppressions.unused(every):
        source.applied(part.edits)
    for unknown in suppressions.unknown():
        assert source.lines[unknown.span.line - 1][unknown.span.column - 1 : unknown.span.end_column - 1] == unknown.text
