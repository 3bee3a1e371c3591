"""Exits: the statements that leave a block, a function or the process."""

from __future__ import annotations

import ast

from trainlint.model.scopes import Scopes
from trainlint.model.sketch import Exit, If
from trainlint.model.spots import spot_of


class Exits(Scopes):
    """Lowers the ways out; a method that returns False says that control never runs past its statement."""

    def expression(self, node: ast.Expr) -> bool:
        """A statement that is only an expression; a call that ends the process is a way out."""
        if isinstance(node.value, ast.Constant):
            return True
        term = self.expr(node.value)
        if term[0] == "call" and term[1][0] == "r" and term[1][1] in self.exits:
            self.out.append(Exit("exit", None, spot_of(node)))
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
        """``assert`` is a branch whose other side raises; its message is not evaluated where it matters."""
        condition = self.expr(node.test)
        spot = spot_of(node)
        fails = Exit("raise", None, spot, self.terms.make("r", "builtins.AssertionError"))
        self.out.append(If(condition, (), (fails,), spot, spot_of(node.test)))
        return True
