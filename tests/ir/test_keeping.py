"""What is kept beyond a round of a loop or beyond a call: the statements that say so, and what tells containers apart."""

from __future__ import annotations

from tests.ir.revealing import lowered, statements
from trainlint.ir.printer import show
from trainlint.ir.sketch import Keep


def kept(source: str) -> list[str]:
    return [
        f"{node.kind} {show(node.target)} = {show(node.value)}" for node in statements(lowered(source)) if isinstance(node, Keep)
    ]


def test_names_that_a_loop_carries() -> None:
    found = kept(
        """
        def f(xs, g):
            total = best = other = 0
            for x in xs:
                fresh = g(x)
                total += fresh
                best = best + fresh
                if fresh:
                    total = 0
            other = 1
        """
    )
    assert found == [
        "AugAssign <lv total 3 4 head> = (<lv total 3 4 head> Add g(each(xs)))",
        "Assign <lv best 3 4 head> = (<lv best 3 4 head> Add g(each(xs)))",
        "Assign <lv total 3 4 head> = 0",
    ]


def test_the_innermost_loop_counts_and_no_longer_than_it_runs() -> None:
    found = kept(
        """
        def f(xs):
            a = b = 0
            for x in xs:
                a += 1
                while x:
                    b += 1
                a += 2
        """
    )
    assert found == [
        "AugAssign <lv a 3 4 head> = (<lv a 3 4 head> Add 1)",
        "AugAssign <lv b 5 8 head> = (<lv b 5 8 head> Add 1)",
        "AugAssign <lv a 3 4 head> = ((<lv a 3 4 head> Add 1) Add 2)",
    ]


def test_what_a_round_makes_anew_is_not_carried() -> None:
    assert kept("def f(xs):\n    for x in xs:\n        total = 0\n        total += x\n") == []


def test_items_and_attributes() -> None:
    found = kept(
        """
        class A:
            def f(self, d, x):
                d["a"] = x
                d["b"] += x
                self.sum += x / 2
                self.last = x
        """
    )
    assert found == [
        "Assign d['a'] = x",
        "AugAssign d['b'] = (d['b'] Add x)",
        "AugAssign self.sum = (self.sum Add (x Div 2))",
    ]


def test_lists_and_dicts_are_told_apart() -> None:
    module = lowered("def f():\n    return [], [], {}, {}, [1], [1]\n")
    (value,) = (part for node in statements(module) for part in [node.value])
    lists, dicts, full = value.subterms()[:2], value.subterms()[2:4], value.subterms()[4:]
    assert lists[0] is not lists[1]
    assert dicts[0] is not dicts[1]
    assert full[0] is not full[1]
    assert list(map(show, (*lists, *dicts))) == ["list()", "list()", "{}", "{}"]
