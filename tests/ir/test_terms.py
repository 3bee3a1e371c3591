"""How large and how deep terms are, where they become unknown, and what is asked of a term as such."""

from __future__ import annotations

import ast

import pytest

from tests.ir.revealing import calls, lowered, statements
from trainlint.ir.lower import lower
from trainlint.ir.nodes import Attr, BinOp, Call, Dict, Global, Not, Select, Term, Tuple, Unknown
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import DEEPEST, LARGEST, LONGEST, Sayings, Terms, is_call_of, is_closed, is_long, mentions, parts_of


def nested(terms: Terms, levels: int) -> Term:
    """``not not … x`` with so many levels of terms, the name among them."""
    term: Term = terms.make(Global, "x")
    for _ in range(levels - 1):
        term = terms.make(Not, term)
    return term


def many(terms: Terms, count: int) -> Term:
    """A tuple of names: so many terms, the tuple among them."""
    return terms.make(Tuple, tuple(terms.make(Global, f"x{number}") for number in range(count - 1)))


def argument(source: str) -> Term:
    """The first argument of the call that stands last."""
    (*_, last) = [node for node in statements(lowered(source)) if isinstance(node, CallStep)]
    return last.term.args[0]


def test_sizes_count_shared_parts_again_down_to_calls() -> None:
    terms = Terms()
    x = terms.make(Global, "x")
    assert terms.size(x) == 1
    both = terms.make(BinOp, "Add", x, x)
    assert terms.size(both) == 3
    assert terms.size(terms.make(BinOp, "Add", both, both)) == 7
    assert terms.size(terms.make(Dict, ((x, both), (x, x)))) == 7
    assert terms.size(terms.make(Call, both, (x,), (("k", both),), None)) == 1


@pytest.mark.parametrize("levels", [2, 3, 8, 9, 10, 40, DEEPEST - 1, DEEPEST])
def test_what_is_not_too_deep_stays(levels: int) -> None:
    terms = Terms()
    term = nested(terms, levels)
    assert terms.size(term) == levels
    assert terms.bounded(term, 3, 4) is term


@pytest.mark.parametrize("levels", [DEEPEST + 1, DEEPEST + 2, 200, 256, 300, 600])
def test_what_is_too_deep_is_unknown(levels: int) -> None:
    """Also beyond what the bits for the depth can say."""
    terms = Terms()
    term = nested(terms, levels)
    assert terms.size(term) > LARGEST
    assert terms.bounded(term, 3, 4) is terms.make(Unknown, 3, 4)
    assert terms.bounded(terms.make(Tuple, (terms.const(1), term)), 5, 6) is terms.make(Unknown, 5, 6)
    assert terms.bounded(terms.make(BinOp, "Add", term, terms.const(1)), 5, 6) is terms.make(Unknown, 5, 6)


@pytest.mark.parametrize("kind", [BinOp, Tuple])
def test_the_deepest_part_counts_wherever_it_stands(kind: type[Term]) -> None:
    """``x + 1 + 1 …`` and ``(((x, 1), 1), …)``: what stands last is not deep."""
    terms = Terms()
    one = terms.const(1)
    term: Term = terms.make(Global, "x")
    for _ in range(DEEPEST - 1):
        term = terms.make(BinOp, "Add", term, one) if kind is BinOp else terms.make(Tuple, (term, one))
    assert terms.bounded(term, 3, 4) is term
    term = terms.make(BinOp, "Add", term, one) if kind is BinOp else terms.make(Tuple, (term, one))
    assert terms.bounded(term, 3, 4) is terms.make(Unknown, 3, 4)


def test_what_is_too_large_is_unknown() -> None:
    terms = Terms()
    most = many(terms, LARGEST)
    assert terms.bounded(most, 3, 4) is most
    assert terms.bounded(many(terms, LARGEST + 1), 3, 4) is terms.make(Unknown, 3, 4)


def test_chains_that_are_long() -> None:
    terms = Terms()

    def chain(links: int) -> Term:
        term: Term = terms.make(Global, "x")
        for number in range(links):
            term = terms.make(Attr, term, "y") if number % 2 else terms.make(Call, term, (), (), None)
        return term

    assert not is_long(chain(LONGEST))
    assert is_long(chain(LONGEST + 1))


@pytest.mark.parametrize("text", ["1", "os.environ", "os.sep + '/'", "len(os.sep)", "(1, os.sep)", "x"])
def test_terms_that_say_the_same_in_each_activation(text: str) -> None:
    assert is_closed(argument(f"import os\nx = some()\nprint({text})"), {})


@pytest.mark.parametrize(
    "text", ["p", "self", "p + 1", "(1, p)", "len(p)", "[1]", "{1}", "{1: 2}", "super()", "super().x", "k", "q.r"]
)
def test_terms_that_may_say_something_else(text: str) -> None:
    source = f"class A:\n    def f(self, p, q=1, **k):\n        print({text})\n"
    assert not is_closed(argument(source), {})


def test_parts_are_handed_out_once() -> None:
    terms = Terms()
    x, y = terms.make(Global, "x"), terms.make(Global, "y")
    both = terms.make(BinOp, "Add", x, y)
    term = terms.make(Select, both, terms.make(Tuple, (both, x)), y)
    assert sorted(type(each).__name__ for each in parts_of(term)) == ["BinOp", "Global", "Global", "Select", "Tuple"]
    assert len(list(parts_of(x, x, both))) == 3
    assert mentions(term, x)
    assert mentions(x, x)
    assert not mentions(both, term)


def test_what_is_said_in_two_places_is_the_same_without_them() -> None:
    source = "print(f(a)[g(1)])\nprint(f(a)[g(1)])\nprint(f(a)[g(2)])\nprint(f(a, k=1))\nprint(f(a, k=2))\nprint(f(a))\n"
    terms = [node.term for node in statements(lowered(source)) if isinstance(node, CallStep)]
    printed = [term for term in terms if is_call_of(term, "builtins.print")]
    assert [term.site.line for term in printed] == [1, 2, 3, 4, 5, 6]
    sayings = Sayings()
    said = [sayings.of(term.args[0]) for term in printed]
    assert said[0] == said[1]
    assert len(set(said)) == 5
    assert said[2] != said[1]


class Novel(ast.expr):
    """An expression that this version of Python does not have yet."""

    _fields = ("value", "named")


def test_calls_in_expressions_that_nobody_knows() -> None:
    tree = ast.parse("x = 1")
    inner, named, starred = (ast.parse(text, mode="eval").body for text in ("f(a)", "g(b)", "h(c)"))
    unknown = Novel(value=inner, named=[ast.keyword("k", named), ast.Starred(starred)])
    assert isinstance(tree.body[0], ast.Assign)
    tree.body[0].value = unknown
    assert calls(lower("file.py", ast.fix_missing_locations(tree), frozenset())) == ["f", "g", "h"]
