"""What is made in two places is two things; what a method, a loop or a built-in function stands for."""

from __future__ import annotations

import ast

import pytest

from tests.ir.revealing import check, lowered, statements
from trainlint.ir.lower import lower
from trainlint.ir.nodes import Dict, Kwargs, Param, Self, Term, Unknown
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import is_call_of


def printed(source: str) -> list[Term]:
    """What each ``print`` is given."""
    terms = [node.term for node in statements(lowered(source)) if isinstance(node, CallStep)]
    return [term.args[0] for term in terms if is_call_of(term, "builtins.print")]


@pytest.mark.parametrize("made", ["[]", "{}", "{1: 2}"])
def test_what_can_be_filled_has_its_place(made: str) -> None:
    one, other, again = printed(f"a = {made}\nb = {made}\nprint(a)\nprint(b)\nprint(a)\n")
    assert one is not other
    assert one is again


@pytest.mark.parametrize("made", ["()", "(1, 2)", "1", "f.x", "(x, y)"])
def test_what_never_changes_has_none(made: str) -> None:
    one, other = printed(f"a = {made}\nb = {made}\nprint(a)\nprint(b)\n")
    assert one is other


def test_getattr_is_the_attribute() -> None:
    check(
        """
        def f(x, name, getitem):
            reveal(getattr(x, "name"))  # reveals: x.name
            reveal(getattr(x, "name", 1))  # reveals: builtins.getattr(x, 'name', 1)
            reveal(getattr(x, name))  # reveals: builtins.getattr(x, name)
            reveal(getitem(x, "name"))  # reveals: getitem(x, 'name')
        """
    )


def test_a_loop_forgets_the_attributes_that_it_sets() -> None:
    check(
        """
        def f(self, xs):
            self.a = 1
            self.b = 2
            for x in xs:
                self.a = x
            reveal(self.b)  # reveals: 2
            reveal(self.a)  # reveals: self.a
        """
    )


FIRST = {
    "method": ("def f(self):", Self),
    "static method": ("@staticmethod\n    def f(x):", Param),
    "static method that is handed its object": ("@staticmethod\n    def f(self):", Self),
    "static method by a module": ("@builtins_of().staticmethod\n    def f(x):", Param),
    "class method": ("@classmethod\n    def f(cls):", Self),
    "class method by a module": ("@builtins_of().classmethod\n    def f(cls):", Self),
    "property": ("@property\n    def f(self):", Self),
    "cached property": ("@functools.cached_property\n    def f(self):", Self),
    "decorated": ("@other\n    def f(me):", Self),
    "second parameter": ("def f(me, self, x):", Self),
}


@pytest.mark.parametrize("name", FIRST)
def test_what_the_first_parameter_is(name: str) -> None:
    head, kind = FIRST[name]
    parameter = head.rpartition("(")[2].partition(",")[0].rstrip("):")
    (found,) = printed(f"import functools\nclass A:\n    {head}\n        print({parameter})\n")
    assert type(found) is kind


def test_a_function_has_no_object() -> None:
    (found,) = printed("def f(self):\n    print(self)\n")
    assert type(found) is Param
    (found,) = printed("class A:\n    def g(self):\n        def f(self):\n            print(self)\n")
    assert type(found) is Param


KINDS = {
    "": "method",
    "@staticmethod": "static",
    "@tools().staticmethod": "static",
    "@tools().classmethod": "classmethod",
    "@classmethod": "classmethod",
    "@property": "property",
    "@functools.cached_property": "property",
    "@tools().cached_property": "property",
    "@tools().other": "method",
    "@other": "method",
}


@pytest.mark.parametrize("decorator", KINDS)
def test_kinds_of_methods(decorator: str) -> None:
    source = f"import functools\nclass A:\n    {decorator}\n    def f(self):\n        pass\n"
    assert lowered(source).functions["A.f"].kind == KINDS[decorator]


def test_a_file_is_no_package_if_nothing_is_said() -> None:
    tree = ast.parse("x = 1\n")
    assert not lower("a/b/c.py", tree, ()).package
    assert lower("a/b/__init__.py", tree, (), package=True).package


CHANGED = {
    "kw.update(x=1)": Dict,
    "kw.setdefault('x', 1)": Dict,
    "kw['x'] = 1": Dict,
    "del kw['x']": Unknown,
    "kw.keys()": Kwargs,
    "kw.get('x')": Kwargs,
    "other.update(x=1)": Kwargs,
    "other['x'] = 1": Kwargs,
}


@pytest.mark.parametrize("statement", CHANGED)
def test_keywords_that_were_passed_are_no_longer_all(statement: str) -> None:
    before, behind = printed(f"def f(other, **kw):\n    print(kw)\n    {statement}\n    print(kw)\n")
    assert type(before) is Kwargs
    assert type(behind) is CHANGED[statement]  # a dict that began with them, or nobody knows
