"""Attributes by name: what ``setattr``, ``vars`` and ``__dict__`` do to an object, where the name is written down.

``setattr(obj, "rate", v)``, ``object.__setattr__(obj, "rate", v)``, ``vars(obj)["rate"] = v`` and ``obj.__dict__.update(rate=v)``
do what ``obj.rate = v`` does, and are lowered to the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from trainlint.ir.nodes import Attr, Call, Const, Dict, Ref, Term
from trainlint.ir.terms import is_call_of, is_super

#: How the names end of all that sets or deletes attributes by name.
BY_NAME = ("setattr", "__setattr__", "delattr", "__delattr__", "update")
_BUILTINS = ("setattr", "delattr")
_SETS = ("setattr", "__setattr__")
_DELETES = ("delattr", "__delattr__")


class Named(NamedTuple):
    """An attribute of an object, and what it is set to; None: it is deleted."""

    base: Term
    name: str
    value: Term | None


def set_by(call: Call, owner: Term | None, settled: Callable[[Term], Term]) -> tuple[Named, ...]:
    """The attributes that a call sets or deletes, if that is all it does.

    ``owner`` is what ``super()`` stands for here, ``settled`` gives the constant that a name of the file holds.
    """
    callee, given = call.callee, call.args
    if isinstance(callee, Attr) and callee.name == "update":
        base = namespace_of(callee.base)
        return () if base is None else _updated(base, call)
    word = callee.name.rpartition(".")[2] if isinstance(callee, (Ref, Attr)) else ""
    if word in _BUILTINS and not (isinstance(callee, Ref) and callee.name == f"builtins.{word}"):
        return ()
    count = 2 if word in _SETS else 1 if word in _DELETES else 0
    if isinstance(callee, Attr) and len(given) == count:  # of the object itself: ``super().__setattr__("rate", v)``
        base = owner if is_super(callee.base) else callee.base
    elif len(given) == count + 1:
        base, given = given[0], given[1:]
    else:
        return ()
    name = settled(given[0]) if count else None
    if call.kwargs or base is None or not isinstance(name, Const) or not isinstance(name.value, str):
        return ()
    return (Named(base, name.value, given[1] if word in _SETS else None),)


def _updated(base: Term, call: Call) -> tuple[Named, ...]:
    """What ``obj.__dict__.update({"rate": v}, depth=3)`` sets; nothing where it may set more."""
    pairs = [pair for given in call.args if isinstance(given, Dict) for pair in given.items]
    if not all(isinstance(given, Dict) for given in call.args):
        return ()
    found = [Named(base, key.value, value) for key, value in pairs if isinstance(key, Const) and isinstance(key.value, str)]
    named = [Named(base, name, value) for name, value in call.kwargs if name is not None]
    return (*found, *named) if len(found) + len(named) == len(pairs) + len(call.kwargs) else ()


def filled_by(call: Call) -> Term | None:
    """The object of which a call sets attributes under names that are no constants: ``setattr(obj, key, v)``."""
    callee, given = call.callee, call.args
    if isinstance(callee, Attr) and callee.name == "update":
        told = all(isinstance(each, Dict) for each in given) and all(name is not None for name, _ in call.kwargs)
        return None if told else namespace_of(callee.base)
    if not is_call_of(call, "builtins.setattr") or len(given) != len(("object", "name", "value")):
        return None
    return None if isinstance(given[1], Const) else given[0]


def namespace_of(container: Term) -> Term | None:
    """The object whose attributes are the items of a dict: ``vars(obj)``, ``obj.__dict__``."""
    if isinstance(container, Attr):
        return container.base if container.name == "__dict__" and not isinstance(container.base, Ref) else None
    return container.args[0] if is_call_of(container, "builtins.vars") and len(container.args) == 1 else None


def attribute_under(container: Term, key: Term) -> tuple[Term, str] | None:
    """The attribute that an item of such a dict is, as an object and a name."""
    if not isinstance(key, Const) or not isinstance(key.value, str):
        return None
    base = namespace_of(container)
    return None if base is None else (base, key.value)


def is_member(term: Term, module: Term) -> bool:
    """Whether a term is something that a module has, by its name: ``optim.SGD``."""
    return isinstance(term, Ref) and isinstance(module, Ref) and term.name.rpartition(".")[0] == module.name
