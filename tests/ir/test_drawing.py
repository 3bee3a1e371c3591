"""What the model keeps of comprehensions, of matrix products and of ``yield from``."""

from __future__ import annotations

from tests.ir.revealing import lowered, statements
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Collected, Comprehension, MatMul, Star
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Yield
from trainlint.program.def_use import Kind, made_in


def made(source: str, kind: type[Kind]) -> list[Kind]:
    return list(made_in(lowered(source).functions["f"], kind))


def drawn(source: str) -> list[tuple[str, list[str], str] | None]:
    return [
        (show(each.of), [show(test) for test in each.tests], show(each.item)) if isinstance(each, Comprehension) else None
        for each in made(source, Collected)
    ]


def test_a_comprehension_goes_over_something_under_conditions() -> None:
    assert drawn("def f(a):\n    return [x for x in a if x if a]\n") == [("a", ["each(a)", "a"], "each(a)")]


def test_a_generator_does() -> None:
    assert drawn("def f(a):\n    return sum(x.y for x in a)\n") == [("a", [], "each(a).y")]


def test_of_a_dict_the_value_counts() -> None:
    assert drawn("def f(a, b):\n    return {i: b[i] for i in a}\n") == [("a", [], "b[each(a)]")]


def test_of_more_than_one_thing_nothing_is_known() -> None:
    assert drawn("def f(a, b):\n    return [x for y in a for x in b]\n") == [None]


def test_the_value_is_what_stands_for_it() -> None:
    module = lowered("def f(a):\n    x = [y for y in a]\n    g(x)\n")
    (value,) = made_in(module.functions["f"], Comprehension)
    assert [node.term.args for node in statements(module) if isinstance(node, CallStep)] == [(value,)]


def test_a_function_keeps_its_own() -> None:
    functions = lowered("z = [y for y in b]\ng(z)\ndef f(a):\n    return [x for x in a]\n").functions
    assert [show(known.of) for known in made_in(functions["<module>"], Comprehension)] == ["b"]
    assert [show(known.of) for known in made_in(functions["f"], Comprehension)] == ["a"]


def test_a_comprehension_knows_what_it_makes() -> None:
    kinds = [
        made(f"def f(a):\n    return {text}\n", Comprehension)[0]
        for text in ("[x for x in a]", "{x for x in a}", "g(x for x in a)")
    ]
    assert [each.kind for each in kinds] == ["list", "set", "generator"]
    (pairs,) = made("def f(a):\n    return {x.k: x for x in a}\n", Comprehension)
    assert (pairs.kind, show(pairs.key)) == ("dict", "each(a).k")


def test_yield_from_hands_on_all_of_it() -> None:
    found = [node for node in statements(lowered("def f(a):\n    yield a\n    yield from a\n")) if isinstance(node, Yield)]
    assert [node.whole for node in found] == [False, True]


def test_a_name_may_hold_what_a_comprehension_makes() -> None:
    (function,) = (each for name, each in lowered("def f(a):\n    x = [y for y in a]\n").functions.items() if name == "f")
    assert isinstance(held_at_end(function)["x"], Comprehension)


def test_matrix_products_have_factors() -> None:
    (product,) = made("def f(a, b, c):\n    return a @ b.T @ c\n", MatMul)
    assert [show(each) for each in product.factors] == ["a", "b.T", "c"]
    outer, inner = made("def f(a, b, c):\n    return a @ (b @ c)\n", MatMul)
    assert [show(each) for each in inner.factors] == ["b", "c"]
    assert outer.factors[1] is inner


def test_a_star_has_what_its_items_are_of() -> None:
    (rest, others) = made("def f(a, *args):\n    return g(a, *args, [*a])\n", Star)
    assert (show(rest), show(others)) == ("*a", "*<v 1 10>")
    function = lowered("def f(a, *args):\n    return g(*args, *a)\n").functions["f"]
    (call,) = [node.term for node in function.body if isinstance(node, CallStep)]
    assert [function.is_rest(each) for each in call.args] == [True, False]
