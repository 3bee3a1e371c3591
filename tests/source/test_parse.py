"""Parsing: a tree or a reason, whatever the text is."""

from __future__ import annotations

import ast
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

from trainlint.source.deep import run_deep
from trainlint.source.parse import MAX_BYTES, UnparsableSource, parse
from trainlint.source.text import Source

MANY = 10_000


def source(code: str | bytes) -> Source:
    return Source.from_bytes(Path("train.py"), code if isinstance(code, bytes) else code.encode())


def tree_or_refusal(code: str) -> ast.Module | UnparsableSource:
    try:
        return parse(source(code))
    except UnparsableSource as refused:
        return refused


def refusal(code: str | bytes, **options) -> UnparsableSource:
    with pytest.raises(UnparsableSource) as caught:
        parse(source(code), **options)
    return caught.value


def depth(tree: ast.AST) -> int:
    """Count the levels of a tree without recursion."""
    deepest, level = 0, [tree]
    while level:
        deepest += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return deepest


FLAT = {
    "and": "x = " + " and ".join(["a"] * MANY),
    "comparison": "x = " + " < ".join(["a"] * MANY),
    "adjacent strings": "x = (" + "'s'\n" * MANY + ")",
    "adjacent f-strings": "x = (" + "f's{a}'\n" * MANY + ")",
    "list": "x = [" + "1,\n" * MANY + "]",
    "statements": "a=1;" * MANY,
    "targets": "a=" * MANY + "1",
    "comprehension": "x = [a " + "for a in b " * 1_000 + "]",
    "decorators": "@a\n" * MANY + "def f(): pass",
    "continued lines": "x = " + "\\\n" * MANY + "1",
    "brackets": "x = " + "[" * 90 + "]" * 90,
    "blocks": "".join(" " * level + "if a:\n" for level in range(90)) + " " * 90 + "pass",
}


@pytest.mark.parametrize("name", FLAT)
def test_long_but_flat_text_is_parsed(name):
    assert parse(source(FLAT[name])).body


def test_a_sum_of_2000_terms_is_parsed():
    assert depth(parse(source("x = " + " + ".join(["a"] * 2_000)))) == 2_003


DEEP = {
    "sum": "x = " + " + ".join(["a"] * MANY),
    "very long sum": "x = " + "+".join(["a"] * 500_000),
    "calls": "x = a()" + ".b().c()" * (MANY // 2),
    "very many calls": "x = a" + ".b()" * 400_000,
    "attributes": "x = a" + ".b" * 900_000,
    "calls of calls": "x = a" + "()" * 900_000,
    "subscripts": "x = a" + "[0]" * 200_000,
    "elif": "if a:\n pass\n" + "elif a:\n pass\n" * MANY,
    "not": "x = " + "not " * MANY + "a",
    "minus": "x = " + "-" * MANY + "a",
    "power": "x = " + " ** ".join(["a"] * MANY),
    "conditional": "x = " + "a if b else " * MANY + "c",
    "lambda": "x = " + "lambda: " * MANY + "c",
    "parentheses": "x = " + "(" * MANY + ")" * MANY,
    "open parentheses": "x = " + "(" * MANY,
    "lists": "x = " + "[" * MANY + "]" * MANY,
    "dictionaries": "x = " + "{1:" * MANY + "1" + "}" * MANY,
    "calls in calls": "x = " + "f(" * MANY + ")" * MANY,
    "blocks": "".join(" " * level + "if a:\n" for level in range(1_500)) + " " * 1_500 + "pass\n",
    "annotations": "def f(a: " + "L[" * MANY + "int" + "]" * MANY + "): pass",
    "patterns": "match x:\n case " + "[" * MANY + "]" * MANY + ": pass",
}
# What the parser limits itself, in every version.
ALWAYS_REFUSED = set(DEEP) - {"sum", "very long sum", "calls", "very many calls", "attributes", "calls of calls", "subscripts"}


@pytest.mark.parametrize("name", DEEP)
def test_deep_text_is_parsed_or_too_complex(name):
    usual = sys.getrecursionlimit()
    outcome = tree_or_refusal(DEEP[name])
    assert sys.getrecursionlimit() == usual
    if isinstance(outcome, UnparsableSource):
        assert outcome.kind == "too-complex"
        assert 1 <= outcome.line <= len(source(DEEP[name]).lines)
    else:
        assert name not in ALWAYS_REFUSED
        assert depth(outcome) > 5_000
        del outcome  # this frees all levels, on the usual stack


@pytest.mark.parametrize("name", ["sum", "calls"])
def test_deep_text_inside_a_deep_thread_and_in_others(name):
    kinds: list[str] = []

    def attempt() -> None:
        outcome = tree_or_refusal(DEEP[name])
        kinds.append(outcome.kind if isinstance(outcome, UnparsableSource) else "parsed")

    run_deep(attempt)
    threads = [threading.Thread(target=attempt) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    attempt()
    assert len(kinds) == 5
    assert len(set(kinds)) == 1
    assert kinds[0] in {"parsed", "too-complex"}


def test_a_large_file_is_too_complex_and_costs_nothing():
    large = source("def f(a):\n    return a.b(c)  # é\n" * 300_000)
    assert len(large.data) > 10_000_000 > MAX_BYTES
    begin = time.process_time()
    with pytest.raises(UnparsableSource, match="is larger than 2,097,152 bytes") as caught:
        parse(large)
    assert caught.value.kind == "too-complex"
    assert time.process_time() - begin < 1


def test_the_limit_is_in_bytes_and_can_be_set():
    text = "s = 'éé'\n"
    assert parse(source(text), max_bytes=len(text.encode())).body
    assert refusal(text, max_bytes=len(text.encode()) - 1).kind == "too-complex"


@pytest.mark.parametrize(
    ("code", "line", "column"),
    [
        ("x = = 1", 1, 5),
        ("x = 1\nif x:\npass\n", 3, 1),
        ("s = 'é'; x = = 1", 1, 14),
        ("x = 1\r\ny = = 2\r\n", 2, 5),
        ("x = 1\ry = = 2\r", 2, 5),
        ("if x:\n\ty = 1\n        z = 2\n", 3, None),
        ("print 'x'", 1, None),
        ("x = (1,\n", 1, 5),
        ("s = '''\n", None, None),
        ("x = 1\n\0", 2, 1),
        ("s = 'é\0'", 1, 7),
        ("\ufeff\ufeffx = 1", 1, None),
        ("x = 08", 1, None),
        ("s = '\\N{no such name}'", 1, None),
        ("x = " + "9" * 10_000 + "\n)", None, None),
    ],
)
def test_wrong_python_is_unreadable_with_its_place(code, line, column):
    refused = refusal(code)
    assert refused.kind == ("old-syntax" if code.startswith(("print '", "if x:\n\ty")) else "unreadable")
    assert refused.message
    assert line in {None, refused.line}
    assert column in {None, refused.column}
    lines = source(code).lines
    assert 1 <= refused.line <= len(lines)
    assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1


@pytest.mark.parametrize("code", ["", "# only\n# comments", "\n\n", "\f\n\f", "\t\n  ", "\r\r\n", "\ufeff"])
def test_text_without_statements_has_an_empty_tree(code):
    assert parse(source(code)).body == []


@pytest.mark.parametrize("code", ["if x:\n\ty = 1\n", "\fx = 1\n\f\ndef f():\n\f    pass\n", "x = 1\r\nif x:\r    y = 2\n"])
def test_tabs_form_feeds_and_mixed_newlines_are_parsed(code):
    assert parse(source(code)).body


def test_the_cookie_of_decoded_text_is_not_obeyed_twice():
    tree = parse(source("# coding: latin-1\ns = 'ä'\n".encode("latin-1")))
    assert ast.unparse(tree) == "s = 'ä'"


def test_invalid_escapes_are_silent():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parse(source("s = '\\d'; b = b'\\q'; x = 1if s else 2; s is 1"))
    assert caught == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        parse(source("s = '\\d'"))
        assert warnings.filters == before


class TestNewerSyntax:
    """What another parser accepts."""

    def test_is_not_called_wrong(self):
        asked: list[str] = []

        def accept(code: str) -> bool:
            asked.append(code)
            return True

        refused = refusal("x = 1\nnew syntax\n", also_parses=accept)
        assert (refused.kind, refused.line) == ("newer-syntax", 2)
        assert asked == ["x = 1\nnew syntax\n"]

    def test_is_wrong_when_the_other_parser_refuses_or_fails(self):
        def fail(_: str) -> bool:
            raise RuntimeError("another parser's trouble")

        assert refusal("x y", also_parses=lambda _: False).kind == "unreadable"
        assert refusal("x y", also_parses=fail).kind == "unreadable"

    @pytest.mark.parametrize(
        "code",
        [
            "x y\nz = " + "[" * 300 + "]" * 300,
            "x y\nz = a" + ".b()" * 2_000,
            "x y\nz = (a\n" + " .b()\n" * 2_000 + ")",
            "x y\nz = " + " and ".join(["a"] * MANY),
            "x = " + "[" * MANY,
            "s = '\\N{no such name}'",
            "b = b'é'",
            "x = 1\0",
        ],
    )
    def test_the_other_parser_is_spared_what_it_may_die_of_or_gets_wrong(self, code):
        def never(_: str) -> bool:
            raise SystemExit("asked")

        assert refusal(code, also_parses=never).kind in {"unreadable", "too-complex"}

    def test_is_not_asked_for_what_parses(self):
        def never(_: str) -> bool:
            raise SystemExit("asked")

        assert parse(source("x = 1"), never).body

    def test_real_newer_syntax(self):
        libcst = pytest.importorskip("libcst")

        def also_parses(code: str) -> bool:
            libcst.parse_module(code)
            return True

        if sys.version_info >= (3, 14):
            assert parse(source("s = t'{x}'\n"), also_parses).body
        else:
            assert refusal("s = t'{x}'\n", also_parses=also_parses).kind == "newer-syntax"
        assert refusal("print 'x'\n", also_parses=also_parses).kind == "old-syntax"
        assert refusal("x = = 1\n", also_parses=also_parses).kind == "unreadable"
