"""Lowering that remembers which term each expression became: for people who ask about a line, never for a run on many files."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from trainlint.ir.nodes import Term
from trainlint.ir.pragmas import ToldLowering


class RecordingLowering(ToldLowering):
    """Lowers one file; afterwards ``terms_of`` says what became of the expressions and targets of the tree, by the node's id.

    Only meaningful while the tree is there.
    """

    def __init__(
        self, path: str, exits: Collection[str], members: Mapping[str, str], words: Mapping[int, str], *, package: bool = False
    ) -> None:
        super().__init__(path, exits, members, words, package=package)
        self.terms_of: dict[int, Term] = {}
        self.functions_of: dict[int, str] = {}

    def expr(self, node: ast.expr) -> Term:
        """The term of an expression."""
        term = super().expr(node)
        self._note(node, term)
        return term

    def bind(self, target: ast.expr, value: Term, node: ast.stmt) -> None:
        """Bind the target of an assignment."""
        self._note(target, value)
        super().bind(target, value, node)

    def bind_pattern(self, target: ast.expr, value: Term) -> None:
        """Bind what a loop or ``with`` names."""
        self._note(target, value)
        super().bind_pattern(target, value)

    def _note(self, node: ast.expr, term: Term) -> None:
        self.terms_of[id(node)] = term
        self.functions_of[id(node)] = self.function.qualname
