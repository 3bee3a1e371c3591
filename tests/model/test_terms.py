"""How large and how deep terms are, where they become unknown, and what is asked of a term as such."""

from __future__ import annotations

import ast

import pytest

from tests.model.revealing import calls, lowered, statements
from trainlint.model.lower import lower
from trainlint.model.sketch import Call
from trainlint.model.terms import DEEPEST, LARGEST, Sayings, Term, Terms, is_closed, is_long, mentions, parts_of


def nested(terms: Terms, levels: int) -> Term:
    """``not not … x`` with so many levels of terms, the name among them."""
    term = terms.make("g", "x")
    for _ in range(levels - 1):
        term = terms.make("not", term)
    return term


def many(terms: Terms, count: int) -> Term:
    """A tuple of names: so many terms, the tuple among them."""
    return terms.make("tuple", tuple(terms.make("g", f"x{number}") for number in range(count - 1)))


def argument(source: str) -> Term:
    """The first argument of the call that stands last."""
    (*_, last) = [node for node in statements(lowered(source)) if isinstance(node, Call)]
    return last.term[2][0]  # type: ignore[no-any-return]


def test_sizes_count_shared_parts_again_down_to_calls() -> None:
    terms = Terms()
    x = terms.make("g", "x")
    assert terms.size(x) == 1
    both = terms.make("bin", "Add", x, x)
    assert terms.size(both) == 3
    assert terms.size(terms.make("bin", "Add", both, both)) == 7
    assert terms.size(terms.make("dict", ((x, both), (x, x)))) == 7
    assert terms.size(terms.make("call", both, (x,), (("k", both),), None)) == 1


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
    assert terms.bounded(term, 3, 4) is terms.make("v", 3, 4)
    assert terms.bounded(terms.make("tuple", (terms.const(1), term)), 5, 6) is terms.make("v", 5, 6)
    assert terms.bounded(terms.make("bin", "Add", term, terms.const(1)), 5, 6) is terms.make("v", 5, 6)


@pytest.mark.parametrize("tag", ["bin", "tuple"])
def test_the_deepest_part_counts_wherever_it_stands(tag: str) -> None:
    """``x + 1 + 1 …`` and ``(((x, 1), 1), …)``: what stands last is not deep."""
    terms = Terms()
    one = terms.const(1)
    term = terms.make("g", "x")
    for _ in range(DEEPEST - 1):
        term = terms.make("bin", "Add", term, one) if tag == "bin" else terms.make("tuple", (term, one))
    assert terms.bounded(term, 3, 4) is term
    term = terms.make("bin", "Add", term, one) if tag == "bin" else terms.make("tuple", (term, one))
    assert terms.bounded(term, 3, 4) is terms.make("v", 3, 4)


def test_what_is_too_large_is_unknown() -> None:
    terms = Terms()
    most = many(terms, LARGEST)
    assert terms.bounded(most, 3, 4) is most
    assert terms.bounded(many(terms, LARGEST + 1), 3, 4) is terms.make("v", 3, 4)


def test_chains_that_are_long() -> None:
    terms = Terms()

    def chain(links: int) -> Term:
        term = terms.make("g", "x")
        for number in range(links):
            term = terms.make("a", term, "y") if number % 2 else terms.make("call", term, (), (), None)
        return term

    assert not is_long(chain(40))
    assert is_long(chain(41))


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
    x, y = terms.make("g", "x"), terms.make("g", "y")
    both = terms.make("bin", "Add", x, y)
    term = terms.make("if", both, terms.make("tuple", (both, x)), y)
    assert sorted(each[0] for each in parts_of(term)) == ["bin", "g", "g", "if", "tuple"]
    assert len(list(parts_of(x, x, both))) == 3
    assert mentions(term, x)
    assert mentions(x, x)
    assert not mentions(both, term)


def test_what_is_said_in_two_places_is_the_same_without_them() -> None:
    source = "print(f(a)[g(1)])\nprint(f(a)[g(1)])\nprint(f(a)[g(2)])\nprint(f(a, k=1))\nprint(f(a, k=2))\nprint(f(a))\n"
    printed = [
        node.term for node in statements(lowered(source)) if isinstance(node, Call) and node.term[1][1] == "builtins.print"
    ]
    assert [term[4].line for term in printed] == [1, 2, 3, 4, 5, 6]
    sayings = Sayings()
    said = [sayings.of(term[2][0]) for term in printed]
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
