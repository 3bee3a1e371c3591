"""Loops: ``for`` and ``while``, which make uncertain what they assign."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from trainlint.ir.assigned import assigned_in
from trainlint.ir.expressions import Expressions
from trainlint.ir.nodes import And, Attr, BinOp, Call, Const, Element, LoopPhi, Or, Select, Subscript, Term
from trainlint.ir.sketch import Loop

#: Values worth naming: what calls and arithmetic give.
_NAMED = frozenset((Call, Select, Subscript, BinOp, Attr, Or, And))


class Loops(Expressions):
    """Lowers loops. A body is lowered once, as any round of it."""

    def for_(self, node: ast.For | ast.AsyncFor) -> bool:
        """``for``: its target holds one element of what it iterates over; control always gets past it."""
        whole = self.statement
        subject = self.expr(node.iter)
        names = assigned_in(node.body)
        outside = self.carried
        before = self.forget(names, node, "in")
        target = self.terms.make(Element, subject, node.lineno, node.col_offset)
        self.bind_pattern(node.target, target)
        drawn = self.bound_in(node.target)
        body, _ = self.block_of(node.body)
        self._keep(before)
        self.carried = outside
        self._end(self.forget(names, node, "after"))
        orelse, _ = self.block_of(node.orelse)
        self.out.append(Loop("for", subject, target, _names_of(node.target), drawn + body, orelse, whole))
        return True

    def while_(self, node: ast.While) -> bool:
        """``while``: calls in the condition run in every round; an endless loop without ``break`` is never left."""
        whole = self.statement
        names = assigned_in(node.body)
        outside = self.carried
        before = self.forget(names, node, "in")
        condition, test = self.captured(lambda: self.expr(node.test))
        body, _ = self.block_of(node.body)
        self._keep(before)
        self.carried = outside
        self._end(self.forget(names, node, "after"))
        orelse, _ = self.block_of(node.orelse)
        self.out.append(Loop("while", condition, None, (), test + body, orelse, whole))
        endless = isinstance(condition, Const) and bool(condition.value)
        return not endless or _breaks(node.body)

    def _keep(self, before: dict[LoopPhi, Term]) -> None:
        """Write down what the loop's names hold in a round, and what they held ``before``."""
        for held, first in before.items():
            last = self.env.get(held.name)
            if last is not None and last is not held:
                self.function.carried[held] = (first, last)

    def _end(self, last: dict[LoopPhi, Term]) -> None:
        """Write down what the loop's names held at the end of the last round, where that says where it came from."""
        self.function.ended.update((held, term) for held, term in last.items() if type(term) in _NAMED)

    def forget(self, names: tuple[str, ...], node: ast.For | ast.AsyncFor | ast.While, when: str) -> dict[LoopPhi, Term]:
        """What a loop assigns is not what it was before (``when`` "in" the loop and "after" it): what it was."""
        carried: dict[str, Term] = {}
        before: dict[LoopPhi, Term] = {}
        for name in names:
            if name[0] == ".":
                for place in [p for p in self.env if isinstance(p, Attr) and p.name == name[1:]]:
                    del self.env[place]
            elif name in self.env:
                held = self.terms.make(LoopPhi, name, node.lineno, node.col_offset, when)
                before[held] = self.env[name]
                self.env[name] = carried[name] = held
        if when == "in" and carried:
            self.carried = {**self.carried, **carried}
        return before


def _names_of(target: ast.expr) -> tuple[str, ...]:
    """The names a loop binds, first to last; an item such as ``state["epoch"]`` as it is written."""
    if isinstance(target, (ast.Subscript, ast.Attribute)):
        return (ast.unparse(target),)
    return tuple(node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _breaks(statements: Sequence[ast.stmt]) -> bool:
    """Whether a ``break`` of this very loop stands in its body."""
    for node in statements:
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # A ``break`` in the ``else`` of an inner loop is this loop's.
            if _breaks(getattr(node, "orelse", ())):
                return True
            continue
        for name in ("body", "orelse", "finalbody"):
            if _breaks(getattr(node, name, ())):
                return True
        if any(_breaks(part.body) for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))):
            return True
    return False
