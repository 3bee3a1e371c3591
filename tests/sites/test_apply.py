from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.edits.apply import apply_edits, encode_like, select_non_overlapping, verify
from trainlint.finding import Applicability, Edit, Repair, Span
from trainlint.source.text import Source


def edit(line: int, column: int, end_line: int, end_column: int, content: str = "X") -> Edit:
    return Edit(Span(line, column, end_line, end_column), content)


def repair(*edits: Edit) -> Repair:
    return Repair(Applicability.SAFE, "do it", edits)


def test_edits_are_made_in_the_order_of_their_places_whatever_order_they_come_in() -> None:
    text = "aä\r\nb\rc\nd"
    edits = [edit(4, 1, 4, 2, "D"), edit(1, 2, 1, 3, "Ä"), edit(2, 1, 2, 1, "+"), edit(3, 2, 4, 1, "")]
    assert apply_edits(text, edits) == "aÄ\r\n+b\rcD"
    assert apply_edits(text, []) == text


def test_a_form_feed_is_no_line_end() -> None:
    assert apply_edits("a\fb\n\u2028c\n", [edit(2, 2, 2, 3)]) == "a\fb\n\u2028X\n"


@pytest.mark.parametrize(
    "edits",
    [
        [edit(1, 1, 1, 3), edit(1, 2, 1, 4)],
        [edit(9, 1, 9, 1)],
        [edit(1, 9, 1, 9)],
        [edit(0, 1, 1, 1)],
        [edit(1, 3, 1, 2)],
    ],
)
def test_edits_that_make_no_sense_are_not_made(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="line"):
        apply_edits("abcd\nef\n", edits)


def test_of_overlapping_repairs_the_first_in_the_file_is_made() -> None:
    late, early = repair(edit(3, 1, 3, 5)), repair(edit(1, 1, 1, 5), edit(3, 4, 3, 9))
    apart = repair(edit(5, 1, 5, 2))
    assert select_non_overlapping([late, early, apart]) == ([early, apart], [late])


def test_touching_repairs_are_made_together_but_two_insertions_at_one_point_are_not() -> None:
    left, right = repair(edit(1, 1, 1, 5)), repair(edit(1, 5, 1, 9))
    assert select_non_overlapping([left, right]) == ([left, right], [])
    one, two, touching = repair(edit(2, 1, 2, 1, "a")), repair(edit(2, 1, 2, 1, "b")), repair(edit(2, 1, 2, 4))
    chosen, waiting = select_non_overlapping([one, two, touching])
    assert chosen == [one, touching]
    assert waiting == [two]
    inside = repair(edit(1, 3, 1, 3))
    assert select_non_overlapping([left, inside]) == ([left], [inside])


@pytest.mark.parametrize(
    "data",
    [b"x = 1\r\n", b"\xef\xbb\xbfx = '\xc3\xa4'\n", b"# coding: latin-1\nx = '\xe4'\n"],
)
def test_encoding_mark_and_line_ends_are_kept(data: bytes) -> None:
    source = Source.from_bytes(Path("a.py"), data)
    assert encode_like(source, source.text) == data
    assert encode_like(source, source.text.replace("x", "y")) == data.replace(b"x", b"y")


def test_what_the_encoding_cannot_say_is_not_written() -> None:
    source = Source.from_bytes(Path("a.py"), b"# coding: latin-1\nx = 1\n")
    assert encode_like(source, source.text + "'€'") is None


def test_verify() -> None:
    unix = Source.from_bytes(Path("a.py"), b"x = 1\n")
    assert verify(unix, "y = 2\nz = '\\d'\n")
    assert not verify(unix, "y = = 2\n")
    assert not verify(unix, "y = 2\r\n")
    assert not verify(unix, "y = '\0'\n")
    assert verify(Source.from_bytes(Path("a.py"), b"x\r\ny\n"), "x\ny\r\n")
    assert verify(Source.from_bytes(Path("a.py"), b"x"), "x\ny")
