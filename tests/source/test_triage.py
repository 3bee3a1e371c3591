"""The words of a file."""

from __future__ import annotations

import ast
import inspect
import time

import pytest

from trainlint.knowledge import load_knowledge
from trainlint.source import text
from trainlint.source.triage import Telling, imports, words


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
    ("code", "expected"),
    [
        ("import a", [("a", ())]),
        ("import a.b as c, d", [("a.b", ()), ("d", ())]),
        ("from a import b as c, d", [("a", ("b", "d"))]),
        ("from . import b\nfrom ..a import *", [(".", ("b",)), ("..a", ("*",))]),
        ("from .import b", [(".", ("b",))]),
        ("from a import (  # why (not)\n    b,\n    c as d,\n)\nx = 1", [("a", ("b", "c"))]),
        ("from a import b, \\\n    c", [("a", ("b", "c"))]),
        ("if x: import a\ntry: from b import c\nexcept: pass", [("a", ()), ("b", ("c",))]),
        ("x = 1; import a; from b import c", [("a", ()), ("b", ("c",))]),
        ("from größe import länge", [("größe", ("länge",))]),
        ("important = imported", []),
    ],
)
def test_imports(code, expected):
    assert imports(code.encode()) == expected
    assert imports(code.replace("\n", "\r\n").encode()) == expected
    assert imports(b"\xef\xbb\xbf" + code.encode()) == expected


def test_imports_hold_every_import_of_a_real_module():
    code = inspect.getsource(text)
    found = {(dotted, name) for dotted, names in imports(code.encode()) for name in names}
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)]
    assert nodes
    assert {(node.module, alias.name) for node in nodes for alias in node.names} <= found


def telling():
    knowledge = load_knowledge()
    needs = ("collective", "rank")
    return Telling(frozenset().union(*map(knowledge.words, needs)), knowledge.beside, *knowledge.loose())


LICENCE = b"# This software is distributed without any warranty.\n"
DCP = b"import torch.distributed.checkpoint as parts\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (DCP + b"parts.save(state, to)\n", True),
        (DCP + b"torch.save(state, to)\n", False),
        (DCP + b"image.save(to)\n", False),
        (b"from torch.distributed.checkpoint import save\nsave(state)\n", True),
        (b"from torch.distributed.checkpoint import *\nsave(state)\n", True),
        (b"import torch.distributed\ntorch.distributed.checkpoint.save(state)\n", True),
        (b"import torch\nx = x.gather(0, index)\n", False),
        (b"import torch.distributed as anything\nanything.gather(x)\n", True),
        (b"import torch.distributed as dist\nx = x.gather(0, index)\n", False),
        (b"from accelerate import Accelerator\nhelper.gather(x)\n", True),
        (LICENCE + b"import torch\nimage.save(to)\n", False),
        (LICENCE + b"\n\n# and more\n" + DCP + b"parts.save(to)\n", True),
        (b"\xef\xbb\xbf" + LICENCE + b"image.save(to)\n", False),
        (b"# trainlint: collective\ndef meet(): ...\n", True),
    ],
)
def test_words_of_most_files_tell_something_where_they_are_taken_from_the_library(code, expected):
    asked = telling()
    assert asked.tells(asked.words(code)) is expected


def test_comments_at_the_head_do_not_take_long():
    asked = telling()
    code = b"#\n \t" * 300_000 + b"x"
    before = time.process_time()
    asked.words(code)
    assert time.process_time() - before < 2
