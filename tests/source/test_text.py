"""Reading: encodings, newlines, and places that are right for any text."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from trainlint.finding import Span, Spot
from trainlint.source.parse import parse
from trainlint.source.text import MAX_READ_BYTES, Source, UnreadableSource

FILE = Path("train.py")


def source(data: bytes) -> Source:
    return Source.from_bytes(FILE, data)


def spot_of(node: ast.expr) -> Spot:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return Spot(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def text_at(read: Source, span: Span) -> str:
    return read.code[read.offset(span.line, span.column) : read.offset(span.end_line, span.end_column)]


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"x = 1\n", "utf-8", "x = 1\n"),
        ("s = 'ä€😀'\n".encode(), "utf-8", "s = 'ä€😀'\n"),
        ("# coding: latin-1\ns = 'ä'\n".encode("latin-1"), "iso8859-1", "# coding: latin-1\ns = 'ä'\n"),
        ("#!/usr/bin/python\n# -*- coding: cp1252 -*-\ns = '€'\n".encode("cp1252"), "cp1252", None),
        ("# vim: set fileencoding=koi8-r :\ns = 'ж'\n".encode("koi8-r"), "koi8-r", None),
        ("\f\n# coding: latin-1\ns = 'ä'\n".encode("latin-1"), "iso8859-1", None),
        ("# coding: latin-1\rs = 'ä'\r".encode("latin-1"), "iso8859-1", None),
        ("# coding: shift_jis\ns = '日本'\n".encode("shift_jis"), "shift_jis", None),
        (b"# -*- coding: utf-8-unix -*-\n", "utf-8", None),
        (b"# -*- coding: Latin_1-dos -*-\n\xe4 = 1\n", "iso8859-1", None),
        ("x = 1\n\n# coding: latin-1\ns = 'ä'\n".encode(), "utf-8", None),  # the third line is too late
        ("x = 1\n# coding: latin-1\ns = 'ä'\n".encode(), "utf-8", None),  # and so is the second after code
    ],
)
def test_encoding_is_the_declared_one_and_utf8_otherwise(data, encoding, text):
    read = source(data)
    assert read.encoding == encoding
    assert text is None or read.text == text
    assert read.encode(read.text) == data


def test_byte_order_mark_is_kept_out_of_the_text_and_put_back():
    data = b"\xef\xbb\xbf# coding: utf-8\r\nx = 1\r\n"
    read = source(data)
    assert read.bom
    assert read.text == "# coding: utf-8\r\nx = 1\r\n"
    assert read.encode(read.text) == data
    assert not source(b"x = 1\n").bom


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"x = 1\ns = '\xff'\n", "cannot be decoded as utf-8: byte 0xff on line 2", 2),
        (b"x = 1\r\r\n\n# \xc3", "cannot be decoded as utf-8: byte 0xc3 on line 4", 4),
        (b"# coding: ascii\n\xe4 = 1\n", "cannot be decoded as ascii: byte 0xe4 on line 2", 2),
        (b"# coding: klingon\n", "unknown encoding: klingon", None),
        (b"# coding: " + b"a" * 100_000, "unknown encoding: aaa", None),
        (b"# coding: hex\n00", "cannot be decoded as hex", None),
        (b"# coding: punycode\n" + b"a" * 100_000, "not for source files", None),
        (b"# coding: undefined\n", "cannot be decoded as undefined", None),
        (b"# coding: utf-16\nx = 100\n", "utf-16", None),
        (b"\xef\xbb\xbf# coding: latin-1\n", "begins with a UTF-8 byte order mark", None),
        ("x = 1\n".encode("utf-16"), "cannot be decoded as utf-8: byte 0xff on line 1", 1),
    ],
)
def test_undecodable_bytes_are_named_with_their_line(data, message, line):
    with pytest.raises(UnreadableSource) as caught:
        source(data)
    assert message in caught.value.message
    assert str(caught.value) == caught.value.message
    assert len(caught.value.message) < 200
    assert caught.value.kind == "unreadable"
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("data", "newline", "lines"),
    [
        (b"", "\n", [""]),
        (b"# only\n# comments", "\n", ["# only", "# comments"]),
        (b"a\nb\n", "\n", ["a", "b", ""]),
        (b"a\r\nb\r\n", "\r\n", ["a", "b", ""]),
        (b"a\rb\r", "\r", ["a", "b", ""]),
        (b"a\r\nb\nc\r\nd\re", "\r\n", ["a", "b", "c", "d", "e"]),
        (b"a\n\r\n\rb", "\n", ["a", "", "", "b"]),  # one of each: the plainest
        ("a\fb\vc\x1cd\x85e\u2028f\ng".encode(), "\n", ["a\fb\vc\x1cd\x85e\u2028f", "g"]),
    ],
)
def test_lines_end_where_the_parser_ends_them(data, newline, lines):
    read = source(data)
    assert read.newline == newline
    assert read.lines == lines


CALLS = [
    "x = 'ä€😀'; f(x)",
    "x = '日本語日本語', f(x)",
    "if x:\n\tf(x)",
    "if x:\n \t y = 'é'; f(x)",
    "\f\nf(x)",
    "x = 1\n\fy = 'ü'; f(x)",
    "'\u2028\x0c\x85'\nf(x)",
    "ä = '''é\nü\n'''; f(x)",
    "x = 'é' + \\\n  f(x)",
    "\u210c = 1; f(x)",
]


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("code", CALLS)
def test_span_is_where_the_call_is_written(code, newline, bom):
    read = source(bom + code.replace("\n", newline).encode())
    call = next(node for node in ast.walk(parse(read)) if isinstance(node, ast.Call))
    span = read.span(spot_of(call))
    assert text_at(read, span) == "f(x)"
    assert read.lines[span.line - 1][span.column - 1 : span.end_column - 1] == "f(x)"


def test_span_counts_characters_and_begins_at_one():
    read = source("é = ü\n".encode())
    assert read.span(Spot(1, 0, 1, 2)) == Span(1, 1, 1, 2)
    assert read.span(Spot(1, 5, 1, 7)) == Span(1, 5, 1, 6)


@pytest.mark.parametrize("spot", [Spot(0, -1, 0, -1), Spot(9, 9, 99, 99), Spot(1, 1, 1, 10_000), Spot(2, 3, 2, 2)])
def test_span_never_leaves_the_text(spot):
    read = source("é = 1\nx".encode())
    span = read.span(spot)
    for line, column in ((span.line, span.column), (span.end_line, span.end_column)):
        assert 1 <= line <= 2
        assert 1 <= column <= len(read.lines[line - 1]) + 1


@pytest.mark.parametrize("data", ["ab\r\nc\n\rdé\n".encode(), b"", b"x", b"\n\n"])
def test_offset_and_place_are_inverse(data):
    read = source(data)
    for number, line in enumerate(read.lines, start=1):
        for column in range(1, len(line) + 2):
            assert read.place(read.offset(number, column)) == (number, column)


def test_offset_stays_within_its_line():
    read = source(b"ab\r\ncd")
    assert read.offset(1, 99) == 2
    assert read.offset(0, 1) == 0
    assert read.offset(9, 1) == 6
    assert read.offset(2, -5) == 4


def test_read_takes_a_name_for_what_has_another_path(tmp_path):
    stored = tmp_path / "stdin"
    stored.write_bytes(b"x = 1\n")
    assert Source.read(stored, name="train.py").path == Path("train.py")
    assert Source.read(stored).path == stored


def test_a_file_that_cannot_be_opened_is_unreadable(tmp_path, monkeypatch):
    with pytest.raises(UnreadableSource, match="cannot be read: No such file"):
        Source.read(tmp_path / "missing.py")
    with pytest.raises(UnreadableSource, match="not a regular file"):
        Source.read(tmp_path)
    with pytest.raises(UnreadableSource, match="cannot be read"):
        Source.read(Path("a\0b.py"))
    stored = tmp_path / "secret.py"
    stored.write_bytes(b"x = 1\n")

    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(UnreadableSource, match="cannot be read: Permission denied"):
        Source.read(stored)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_does_not_make_the_run_wait(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(UnreadableSource, match="not a regular file"):
        Source.read(tmp_path / "pipe.py")


def test_a_huge_file_is_not_read(tmp_path):
    huge = tmp_path / "huge.py"
    with huge.open("wb") as file:
        file.truncate(MAX_READ_BYTES + 1)
    with pytest.raises(UnreadableSource) as caught:
        Source.read(huge)
    assert caught.value.kind == "too-complex"


def test_a_plain_file_has_no_cells():
    read = source(b"x = 1\n")
    assert not read.is_notebook
    assert read.cell_of(1) is None
