"""Exits: the statements that leave a block, a function or the process."""

from __future__ import annotations

import ast

from trainlint.ir.expressions import Expressions
from trainlint.ir.nodes import Call, Const, Ref
from trainlint.ir.sketch import Exit, If
from trainlint.ir.spots import spot_of


class Exits(Expressions):
    """Lowers the ways out; a method that returns False says that control never runs past its statement."""

    def expression(self, node: ast.Expr) -> bool:
        """A statement that is only an expression; a call that ends the process is a way out."""
        if isinstance(node.value, ast.Constant):
            return True
        term = self.expr(node.value)
        if isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name in self.exits:
            fails = self.terms.imported("builtins.SystemExit") if _reports(node.value) else None
            self.out.append(Exit("exit", None, spot_of(node), fails))
            return False
        return True

    def return_(self, node: ast.Return) -> bool:
        """``return``, with the term of its value or None."""
        value = self.expr(node.value) if node.value is not None else None
        self.out.append(Exit("return", value, spot_of(node)))
        return False

    def raise_(self, node: ast.Raise) -> bool:
        """``raise``: what makes the exception runs before."""
        error = self.expr(node.exc) if node.exc is not None else None
        if node.cause is not None:
            self.expr(node.cause)
        self.out.append(Exit("raise", None, spot_of(node), error))
        return False

    def break_(self, node: ast.Break) -> bool:
        """``break`` leaves the innermost loop."""
        self.out.append(Exit("break", None, spot_of(node)))
        return False

    def continue_(self, node: ast.Continue) -> bool:
        """``continue`` leaves this round of the innermost loop."""
        self.out.append(Exit("continue", None, spot_of(node)))
        return False

    def assert_(self, node: ast.Assert) -> bool:
        """``assert`` is a branch whose other side raises; its message is not evaluated where it matters.

        What is asserted of a constant that is false (``assert False, "no such model"``) is only a way to raise.
        """
        condition = self.expr(node.test)
        spot = spot_of(node)
        fails = Exit("raise", None, spot, self.terms.imported("builtins.AssertionError"))
        if isinstance(condition, Const) and not condition.value:
            self.out.append(fails)
            return False
        self.out.append(If(condition, (), (fails,), spot, spot_of(node.test)))
        return True


def _reports(call: ast.expr) -> bool:
    """Whether the end of the process is that of a failure: a number other than 0, or a text that is printed (status 1)."""
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        return False
    status = call.args[0]
    if isinstance(status, ast.UnaryOp) and isinstance(status.op, ast.USub):
        status = status.operand
    return bool(status.value) if isinstance(status, ast.Constant) else _is_text(status)


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is a text that is put together where it stands."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        return _is_text(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return _is_text(node.func.value)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
