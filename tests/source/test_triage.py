"""The words of a file."""

from __future__ import annotations

import ast
import inspect

import pytest

from trainlint.source import text
from trainlint.source.triage import defined, words


def test_words_are_all_identifiers_wherever_they_stand():
    data = "import torch.distributed as dist # barrier\ns = f'{x.all_reduce}' + größe\n\tif_x(_y1)".encode()
    expected = ["import", "torch", "distributed", "as", "dist", "barrier", "s", "f", "x", "all_reduce", "größe", "if_x", "_y1"]
    assert words(data) == {word.encode() for word in expected}


def test_words_of_nothing():
    assert words(b"") == frozenset()
    assert words(b"\n\t ()#\0\r\f") == frozenset()


def test_words_hold_every_name_of_a_real_module():
    code = inspect.getsource(text)
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    assert len(names) > 50
    assert {name.encode() for name in names} <= words(code.encode())


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def f(x): pass", ["f"]),
        ("async  def\tf (x): pass", ["f"]),
        ("class A: pass\nclass B(A): pass\n  def größe(self): pass", ["größe", "A", "B"]),
        ("def f[T](x: T): pass\nclass C[T]: pass", ["f", "C"]),
        ("def f(): pass\ndef f(): pass", ["f", "f"]),
        ("# a class that waits for all ranks, or def nothing", []),
        ("classes = 1; undefined = 2; default (3)", []),
    ],
)
def test_defined_names_functions_and_classes(code, names):
    assert defined(code.encode()) == [name.encode() for name in names]
