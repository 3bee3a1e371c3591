"""What is made in two places is two things; what a method, a loop or a built-in function stands for."""

from __future__ import annotations

import ast

import pytest

from tests.model.revealing import check, lowered, statements
from trainlint.model.lower import lower
from trainlint.model.sketch import Call
from trainlint.model.terms import Term


def printed(source: str) -> list[Term]:
    """What each ``print`` is given."""
    return [
        node.term[2][0] for node in statements(lowered(source)) if isinstance(node, Call) and node.term[1][1] == "builtins.print"
    ]


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


TAGS = {
    "method": ("def f(self):", "self"),
    "static method": ("@staticmethod\n    def f(x):", "p"),
    "static method that is handed its object": ("@staticmethod\n    def f(self):", "self"),
    "static method by a module": ("@builtins_of().staticmethod\n    def f(x):", "p"),
    "class method": ("@classmethod\n    def f(cls):", "self"),
    "class method by a module": ("@builtins_of().classmethod\n    def f(cls):", "self"),
    "property": ("@property\n    def f(self):", "self"),
    "cached property": ("@functools.cached_property\n    def f(self):", "self"),
    "decorated": ("@other\n    def f(me):", "self"),
    "second parameter": ("def f(me, self, x):", "self"),
}


@pytest.mark.parametrize("name", TAGS)
def test_what_the_first_parameter_is(name: str) -> None:
    head, tag = TAGS[name]
    parameter = head.rpartition("(")[2].partition(",")[0].rstrip("):")
    (found,) = printed(f"import functools\nclass A:\n    {head}\n        print({parameter})\n")
    assert found[0] == tag


def test_a_function_has_no_object() -> None:
    assert printed("def f(self):\n    print(self)\n")[0][0] == "p"
    assert printed("class A:\n    def g(self):\n        def f(self):\n            print(self)\n")[0][0] == "p"


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
    "kw.update(x=1)": True,
    "kw.setdefault('x', 1)": True,
    "kw['x'] = 1": True,
    "del kw['x']": True,
    "kw.keys()": False,
    "kw.get('x')": False,
    "other.update(x=1)": False,
    "other['x'] = 1": False,
}


@pytest.mark.parametrize("statement", CHANGED)
def test_keywords_that_were_passed_are_no_longer_all(statement: str) -> None:
    before, behind = printed(f"def f(other, **kw):\n    print(kw)\n    {statement}\n    print(kw)\n")
    assert before[0] == "kw"
    assert behind[0] == ("v" if CHANGED[statement] else "kw")
