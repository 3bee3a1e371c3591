"""Where statements begin and end."""

from __future__ import annotations

import ast
import inspect
import time

import pytest

from trainlint.source import discover, logical, text
from trainlint.source.logical import statement_at, statements


@pytest.mark.parametrize(
    ("code", "pieces"),
    [
        ("a\nb\n", ["a\n", "b\n"]),
        ("a\r\nb\rc", ["a\r\n", "b\r", "c"]),
        ("f(\n1,\n)\nb", ["f(\n1,\n)\n", "b"]),
        ("x = '''\n('\n'''\nb", ["x = '''\n('\n'''\n", "b"]),
        ('x = """a\\"""\n"""\nb', ['x = """a\\"""\n"""\n', "b"]),
        ("x = '('  # (\nb", ["x = '('  # (\n", "b"]),
        ("x = 'a\\\n('\nb", ["x = 'a\\\n('\n", "b"]),
        ("x = 'a\\\r\n('\r\nb", ["x = 'a\\\r\n('\r\n", "b"]),
        ("x = a + \\\n b\nc", ["x = a + \\\n b\n", "c"]),
        ("x = '\nb", ["x = '\n", "b"]),
        ("x = '''\nb\n", ["x = '''\nb\n"]),
        ("f(\nb\n", ["f(\nb\n"]),
        (")\nb", [")\n", "b"]),
        ("'a' 'b'\n\"'\"\nc", ["'a' 'b'\n", '"\'"\n', "c"]),
        ("", []),
    ],
)
def test_pieces(code, pieces):
    found = list(statements(code))
    assert [code[statement.start : statement.end] for statement in found] == pieces


def test_nesting_is_the_deepest():
    assert statement_at("f([{}], (1))\n((((", 0).nesting == 3
    assert statement_at("'((('\n", 0).nesting == 0


@pytest.mark.parametrize("module", [discover, logical, text])
def test_real_statements_begin_where_the_parser_says(module):
    code = inspect.getsource(module)
    read = text.Source.from_bytes(text.Path("x.py"), code.encode())
    begins = {read.place(statement.start)[0] for statement in statements(code)}
    parsed = {node.lineno for node in ast.walk(ast.parse(code)) if isinstance(node, ast.stmt)}
    assert len(parsed) > 20
    assert parsed <= begins


@pytest.mark.parametrize(
    "code", ['"""' * 100_001, "'" * 100_001, "(" * 100_000, "\\" * 100_000, '"""\\' * 50_000, "'\\\n" * 50_000]
)
def test_no_text_takes_long(code):
    begin = time.process_time()
    assert sum(len(code[statement.start : statement.end]) for statement in statements(code)) == len(code)
    assert time.process_time() - begin < 2
