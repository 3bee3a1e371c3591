"""The kinds of term: told apart by their class, read by the names of their parts."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

import trainlint
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Ref, Term
from trainlint.ir.terms import Terms


def kinds(above: type[Term]) -> Iterator[type[Term]]:
    """The kinds of term that there are, without the bases of several."""
    for kind in above.__subclasses__():
        if kind.__module__ == Term.__module__:
            yield from [kind] if kind.tag else kinds(kind)


KINDS = {kind.tag: kind for kind in kinds(Term)}
PARTS = ("one", "two", "three", "four")
#: Words that are tags of terms and nothing else: others ("list", "not" …) are words of other things, too.
TAGS = sorted(set(KINDS) & {"call", "cmp", "bin", "elem", "enter", "lv", "kw", "inv"})


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda each: each.__name__)
def test_parts_have_names_and_no_numbers(kind: type[Term]) -> None:
    term = Terms().make(kind, *PARTS[: len(kind.fields)])
    assert [getattr(term, name) for name in kind.fields] == list(PARTS[: len(kind.fields)])
    assert term.parts == PARTS[: len(kind.fields)]
    with pytest.raises(TypeError):
        term[0]  # type: ignore[index]


def test_every_part_that_is_a_term_is_among_the_subterms() -> None:
    terms = Terms()
    below = terms.make(Ref, "torch")
    for kind in KINDS.values():
        typed = get_type_hints(kind, localns={"Spot": Spot})
        parts = [below if typed[name] is Term else () for name in kind.fields]
        assert terms.make(kind, *parts).subterms() == [below for name in kind.fields if typed[name] is Term]


def test_equal_terms_are_one_and_stay_one_in_a_pickle() -> None:
    terms = Terms()
    call = terms.make(Call, terms.make(Attr, terms.make(Ref, "torch"), "save"), (), (), Spot(1, 0, 1, 4))
    assert terms.make(Attr, terms.make(Ref, "torch"), "save") is call.callee
    assert call.stem is call.callee
    first, second = pickle.loads(pickle.dumps((call, call.callee)))  # noqa: S301 - made here
    assert first.callee is second
    assert type(second) is Attr


def test_nobody_asks_for_a_tag_or_dispatches_by_a_built_name() -> None:
    found = []
    for path in Path(trainlint.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "_prepared.py" and re.search(r'getattr\(self, f?"_?\w*[_{]|(\[0\]|tag)\)* (==|!=|in|not|is)', text):
            found += [f"{path}:{node.lineno}" for node in ast.walk(ast.parse(text)) if _asks(node)]
    assert found == []


def _asks(node: ast.AST) -> bool:
    """Whether a node compares something with a tag, or builds the name of the method that it calls."""
    if isinstance(node, ast.Compare):
        match node.left:
            case ast.Subscript(slice=ast.Constant(value=0)):
                pass
            case ast.Attribute(attr=name) | ast.Name(id=name) if name.endswith("tag"):
                pass
            case _:
                return False
        return any(isinstance(each, ast.Constant) and each.value in TAGS for each in ast.walk(node.comparators[0]))
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
    return named and ast.unparse(node.args[0]) == "self" and isinstance(node.args[1], (ast.BinOp, ast.JoinedStr))
