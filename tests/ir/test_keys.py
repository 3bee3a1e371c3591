"""What a key of a container says of where it comes from."""

from __future__ import annotations

import pytest

from tests.ir.revealing import lowered
from trainlint.ir.nodes import Subscript
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import statements_of


def keys(source: str) -> list[str]:
    """The keys of the items that are passed to a function."""
    module = lowered(f"def f(x, n, m):\n    {source}\n")
    terms = [node.term for node in statements_of(module.functions["f"]) if isinstance(node, CallStep)]
    items = [term.args[0] for term in terms if term.args]
    return [show(item.key) for item in items if isinstance(item, Subscript)]


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("use(x[:n])", ":n"),
        ("use(x[n:])", "n:"),
        ("use(x[n : n + m : 2])", "n:(n Add m):2"),
        ("use(x[:, : m.max()])", "tuple(<v 2 10>, :m.max())"),
        ("k = m.item(); use(x[..., k:])", "tuple(<v 2 24>, m.item():)"),
        ("use(x[~n])", "~n"),
        ("use(x[1:3])", "<v 2 10>"),
        ("use(x[:])", "<v 2 10>"),
        ("use(x[: n @ m])", "<v 2 10>"),
    ],
)
def test_a_slice_keeps_its_bounds_unless_they_say_nothing(source: str, key: str) -> None:
    assert keys(source) == [key]


def test_equal_slices_are_one_key() -> None:
    module = lowered("def f(x, n):\n    use(x[:n])\n    use(x[:n])\n")
    first, second = (node.term.args[0] for node in statements_of(module.functions["f"]) if isinstance(node, CallStep))
    assert first is second
