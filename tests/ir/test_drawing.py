"""What the model keeps of comprehensions, of matrix products and of ``yield from``."""

from __future__ import annotations

from tests.ir.revealing import lowered, statements
from trainlint.ir.bindings import held_at_end
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Yield


def drawn(source: str) -> list[tuple[str, list[str], str] | None]:
    found = lowered(source).functions["f"].drawn.values()
    return [known and (show(known.subject), [show(test) for test in known.tests], show(known.item)) for known in found]


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
    (value,) = module.functions["f"].drawn
    assert [node.term.args for node in statements(module) if isinstance(node, CallStep)] == [(value,)]


def test_a_function_keeps_its_own() -> None:
    module = lowered("z = [y for y in b]\ndef f(a):\n    return [x for x in a]\n")
    assert [show(known.subject) for known in module.functions["<module>"].drawn.values() if known] == ["b"]
    assert [show(known.subject) for known in module.functions["f"].drawn.values() if known] == ["a"]


def test_yield_from_hands_on_all_of_it() -> None:
    found = [node for node in statements(lowered("def f(a):\n    yield a\n    yield from a\n")) if isinstance(node, Yield)]
    assert [node.whole for node in found] == [False, True]


def test_a_name_may_hold_what_a_comprehension_makes() -> None:
    (function,) = (each for name, each in lowered("def f(a):\n    x = [y for y in a]\n").functions.items() if name == "f")
    assert held_at_end(function)["x"] in function.drawn


def test_matrix_products_have_factors() -> None:
    function = lowered("def f(a, b, c):\n    return a @ b.T @ c\n").functions["f"]
    assert [[show(each) for each in product.factors] for product in function.products.values()] == [["a", "b.T", "c"]]
    inner, outer = lowered("def f(a, b, c):\n    return a @ (b @ c)\n").functions["f"].products.items()
    assert [show(each) for each in inner[1].factors] == ["b", "c"]
    assert outer[1].factors[1] is inner[0]
