"""Notebooks as sources."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from trainlint.finding import Spot
from trainlint.source.parse import parse
from trainlint.source.text import Source, UnparsableSource, UnreadableSource

FILE = Path("train.ipynb")


def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None} | more


def markdown(source):
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def notebook(*cells, **more) -> Source:
    content = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more
    return Source.from_bytes(FILE, json.dumps(content).encode())


def test_cells_become_one_text_and_lines_lead_back():
    read = notebook(
        markdown("# Title\n"),
        code(["import torch\n", "x = 1"]),
        code(""),
        code("def f():\n    return 1\n"),
        markdown(["text"]),
        code("f()"),
    )
    assert read.is_notebook
    assert read.code == "import torch\nx = 1\n\n\n\ndef f():\n    return 1\n\n\nf()\n"
    places = [read.cell_of(line) for line in range(12)]
    assert places == [None, (2, 1), (2, 2), None, (3, 1), None, (4, 1), (4, 2), (4, 3), None, (6, 1), None]
    assert read.notebook is not None
    for line, place in enumerate(places):
        if place is not None:
            assert read.notebook.line_of(*place) == line
    assert read.notebook.line_of(1, 1) is None
    assert read.notebook.line_of(2, 3) is None


def test_the_text_is_the_json_and_comes_back_byte_for_byte():
    data = b'\xef\xbb\xbf{"cells": [], "metadata": {},\r\n "nbformat": 4, "nbformat_minor": 5}'
    read = Source.from_bytes(FILE, data)
    assert read.bom
    assert read.encode(read.text) == data
    assert read.code == ""
    assert ast.dump(parse(read)) == ast.dump(ast.parse(""))


def test_magics_are_harmless_and_known():
    read = notebook(
        code("%matplotlib inline\nx = 1"), code("!pip install é\nfor i in x:\n    %time fit(i)\n"), code("%%bash\nls (\n")
    )
    assert [type(node).__name__ for node in parse(read).body] == ["Expr", "Assign", "Expr", "For"]
    assert read.notebook is not None
    assert [sorted(cell.changed) for cell in read.notebook.cells] == [[1], [4, 6], [9, 10]]


def test_columns_are_those_of_the_cell():
    read = notebook(code("x = 1"), code("s = 'é'; f(s)\n"))
    call = next(node for node in ast.walk(parse(read)) if isinstance(node, ast.Call))
    span = read.span(Spot(call.lineno, call.col_offset, call.lineno, call.end_col_offset or 0))
    assert (span.column, span.end_column) == (10, 14)
    assert read.cell_of(span.line) == (2, 1)


@pytest.mark.parametrize("first", [True, False])
def test_a_cell_that_is_indented_as_a_whole(first):
    cells = [code("  # a comment\n    x = 1\n    y = 2\n")]
    read = notebook(*([] if first else [code("z = 0")]), *cells)
    parse(read)
    number = 1 if first else 2
    assert read.cell_of(next(line for line, text in enumerate(read.lines, 1) if "x = 1" in text)) == (number, 2)


def test_a_cell_of_comments_only():
    parse(notebook(code("   # nothing"), code("x = 1\n   # nothing\n")))


def test_newlines_in_cells_are_one_kind():
    read = notebook(code("a = 1\r\nb = 2\r"), code("c = 3"))
    assert read.lines == ["a = 1", "b = 2", "", "", "c = 3", ""]
    assert read.cell_of(5) == (2, 1)
    assert read.newline == "\n"


@pytest.mark.parametrize(
    ("metadata", "python"),
    [
        ({}, True),
        ({"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}, True),
        ({"language_info": {"name": "python", "version": "3.11"}}, True),
        ({"kernelspec": {"name": "ir", "language": "R"}}, False),
        ({"language_info": {"name": "julia"}, "kernelspec": {"language": "python"}}, False),
        ({"kernelspec": None, "language_info": 3}, True),
        (None, True),
    ],
)
def test_only_python_has_cells(metadata, python):
    read = notebook(code("x = 1"), metadata=metadata)
    assert read.code == ("x = 1\n" if python else "")


def test_a_cell_in_another_language_is_left_out():
    read = notebook(code("select 1", metadata={"vscode": {"languageId": "sql"}}), code("x = 1"))
    assert read.code == "x = 1\n"
    assert read.cell_of(1) == (2, 1)


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"", "broken notebook", 1),
        (b'{"cells": [\n\n  oops', "broken notebook: Expecting value", 3),
        (b"[1, 2]", "not a notebook: its JSON has no nbformat", None),
        (b'{"a": 1}', "not a notebook: its JSON has no nbformat", None),
        (b'{"nbformat": 3, "worksheets": []}', "a notebook of format 3", None),
        (b'{"nbformat": "4", "cells": []}', "a notebook of format 4", None),
        (b'{"nbformat": 4}', "no list of cells", None),
        (b'{"nbformat": 4, "cells": [{"cell_type": "markdown"}, 3]}', "cell 2 is no object", None),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": 3}]}', "cell 1 is neither text nor", None),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "cell 1 is neither text nor", None),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["a", 1]}]}', "cell 1 is neither text nor", None),
        (b'{"nbformat": ' + b"9" * 10_000 + b"}", "", None),
        (b'{"nbformat": 4, \xff', "cannot be decoded as utf-8", 1),
    ],
)
def test_what_is_no_notebook_is_unreadable(data, message, line):
    with pytest.raises(UnreadableSource) as caught:
        Source.from_bytes(FILE, data)
    assert message in caught.value.message
    assert len(caught.value.message) < 200
    assert caught.value.line == line
    assert caught.value.kind == "unreadable"


def test_endless_nesting_is_too_complex():
    with pytest.raises(UnreadableSource) as caught:
        Source.from_bytes(FILE, b'{"a":' * 200_000)
    assert caught.value.kind == "too-complex"


def test_a_syntax_error_has_its_line_in_the_joined_code():
    read = notebook(code("x = 1"), markdown("text"), code("y = 2\nz = = 3"))
    with pytest.raises(UnparsableSource) as caught:
        parse(read)
    assert read.cell_of(caught.value.line) == (3, 2)


def test_half_a_character_is_unreadable_with_its_place():
    read = notebook(code("x = 1\ns = 'é\ud800'"))
    with pytest.raises(UnparsableSource) as caught:
        parse(read)
    assert (caught.value.kind, caught.value.line, caught.value.column) == ("unreadable", 2, 7)
    assert read.span(Spot(2, 0, 2, 99)).line == 2
