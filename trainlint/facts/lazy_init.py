"""What a program does once, and what it switches off: branches that make what is not there yet, and flags for a while.

A collective in such a place is no matter of the call that is looked at: it was run before, or it is not run at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.communication import Communication
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance
from trainlint.ir.nodes import Attr, Call, Compare, Const, Global, Not, Subscript, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Keep, Store
from trainlint.ir.terms import is_call_of, parts_of
from trainlint.ir.walk import of_kind, statements_of, walk


def makes_missing(program: Program, node: If, frame: Frame) -> bool:
    """Whether a branch makes what its test does not find: ``if self.group is None: self.group = new_group(…)``.

    Also ``if key not in groups``, ``if not hasattr(f, "group")`` and ``if len(groups) == 0: make_groups()``.
    """
    place = _missing(node.condition)
    return place is not None and _fills(program, node.body, place, frame, deep=True)


def _missing(condition: Term) -> Term | tuple[Term, str] | None:
    """What a test says is missing: a place that outlives the function, or an attribute as (object, name)."""
    if isinstance(condition, Compare) and condition.op == "Is" and _is_none(condition.right):
        return _place(condition.left)
    if isinstance(condition, Compare) and condition.op == "NotIn":
        return _place(condition.right)
    if (
        isinstance(condition, Compare)
        and condition.op == "Eq"
        and isinstance(condition.right, Const)
        and condition.right.value == 0
    ):
        return _place(_measured(condition.left))
    if isinstance(condition, Not):
        inner = condition.operand
        if is_call_of(inner, "builtins.hasattr") and len(inner.args) > 1:
            return (inner.args[0], str(inner.args[1].parts[-1]))
        return _place(_measured(inner))
    return None


def _is_none(term: Term) -> bool:
    return isinstance(term, Const) and term.value is None


def _measured(term: Term) -> Term:
    """``x`` of ``len(x)``."""
    return term.args[0] if is_call_of(term, "builtins.len") and len(term.args) == 1 else term


def _place(term: Term) -> Term | None:
    return term if isinstance(term, (Global, Attr)) or (isinstance(term, Subscript) and _place(term.base) is not None) else None


def _fills(program: Program, block: Block, place: Term | tuple[Term, str], frame: Frame, *, deep: bool) -> bool:
    """Whether a block binds a place, or puts something into it, directly or in a function that it calls."""
    for node in walk(block):
        if isinstance(node, (Store, Keep)):
            target = node.target
            while isinstance(target, Subscript):
                if target is place:
                    return True
                target = target.base
            if target is place or (isinstance(target, Attr) and type(place) is tuple and (target.base, target.name) == place):
                return True
        elif isinstance(node, CallStep) and deep:
            for value in program.values(node.term.callee, frame):
                if isinstance(value, FunctionValue) and value.module == frame.module:
                    inner = program.frame(value.module, value.function)
                    if _fills(program, value.function.body, place, inner, deep=False):
                        return True
    return False


def switches_off(program: Program, item: Term, frame: Frame) -> bool:
    """Whether a context manager of the project sets a global that functions of its file look at before they communicate."""
    for path, function in _entered(program, item, frame):
        module = program.modules[path]
        set_ = {node.target for node in of_kind(function, Store) if isinstance(node.target, Global)}
        if set_ and any(program.ask(Communication).runs(each) for each in module.functions.values()):
            tested = (term for each in module.functions.values() if each is not function for term in _asked(each))
            if any(not set_.isdisjoint(parts_of(term)) for term in tested):
                return True
    return False


def _entered(program: Program, item: Term, frame: Frame) -> Iterator[tuple[str, Function]]:
    """The functions that run when a context manager is entered."""
    for value in program.values(item.callee, frame) if isinstance(item, Call) else ():
        if isinstance(value, FunctionValue) and value.function.generator:
            yield value.module, value.function
    for value in program.values(item, frame):
        if isinstance(value, Instance):
            method = program.method(ClassValue(value.module, value.cls), "__enter__")
            if method is not None:
                yield method


def _asked(function: Function) -> Iterator[Term]:
    """What a function tests and returns."""
    for node in statements_of(function):
        if isinstance(node, If):
            yield node.condition
        elif isinstance(node, Exit) and node.value is not None:
            yield node.value
