"""A class is whole: what it reads of itself, it or a base of it has."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache

import trainlint

#: Classes that read what only the class has that is made of them: halves. The list may become shorter, not longer.
HALVES = {
    "ir.expressions.Expressions",
}


def classes() -> Iterator[tuple[str, type]]:
    """The classes of trainlint, by their names; those of packages that are not installed here are left out."""
    for found in pkgutil.walk_packages(trainlint.__path__, "trainlint."):
        if found.name.rpartition(".")[2] in {"__main__", "_prepared"}:
            continue
        try:
            module = importlib.import_module(found.name)
        except ModuleNotFoundError:
            continue
        for name, kind in vars(module).items():
            if inspect.isclass(kind) and kind.__module__ == found.name and kind.__name__ == name:
                yield f"{found.name}.{name}".removeprefix("trainlint."), kind


@cache
def bodies(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module of trainlint or of this file, as they are written."""
    text = inspect.getsource(sys.modules[module]) if module.startswith(("trainlint", __name__)) else ""
    return {each.name: each for each in ast.parse(text).body if isinstance(each, ast.ClassDef)}


def of_self(kind: type, context: type[ast.expr_context]) -> set[str]:
    """The attributes of ``self`` that the class reads, or those that it stores."""
    body = bodies(kind.__module__).get(kind.__name__)
    return {
        node.attr
        for node in (ast.walk(body) if body is not None else ())
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and isinstance(node.ctx, context)
    }


def missing(kind: type) -> set[str]:
    """What a class reads of itself and does not have; nothing of one with a base of another library, which may set anything."""
    if any(not each.__module__.startswith(("trainlint", __name__, "builtins", "typing", "abc")) for each in kind.__mro__):
        return set()
    constructed = any("__init__" in vars(each) for each in kind.__mro__[:-1]) or issubclass(kind, tuple)
    had = set(dir(kind)).union(*(of_self(each, ast.Store) for each in kind.__mro__))
    if constructed:
        had.update(*(vars(each).get("__annotations__", {}) for each in kind.__mro__))
    abstract = {name for name in dir(kind) if getattr(getattr(kind, name, None), "__isabstractmethod__", False)}
    return of_self(kind, ast.Load) - (had - abstract)


def test_a_class_reads_of_itself_what_it_has() -> None:
    found = {name for name, kind in classes() if missing(kind)}
    assert found - HALVES == set(), {name: missing(kind) for name, kind in classes() if name in found - HALVES}
    assert HALVES - found == set(), "whole by now: off the list"


class Half:
    def asked(self) -> object:
        return self.other  # type: ignore[attr-defined]


class Whole(Half):
    def __init__(self) -> None:
        self.other = 1


def test_halves_are_told_from_wholes() -> None:
    assert missing(Half) == {"other"}
    assert missing(Whole) == set()
