"""Lowering of a file in which comments tell what no analysis can know: ``# trainlint: uniform``, ``per-rank``, ``collective``.

``uniform`` and ``per-rank`` speak of the test or the value of their line, which becomes an ``Asserted``; ``collective``
of its call, or of the function that is defined there, whose places are kept in the module.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from trainlint.finding import Spot
from trainlint.ir.lower import Lowering
from trainlint.ir.nodes import Asserted, Term
from trainlint.ir.sketch import Module, spot_of

UNIFORM, PER_RANK, COLLECTIVE = "uniform", "per-rank", "collective"

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class ToldLowering(Lowering):
    """Lowers a file with such comments. ``words`` are the words by the 1-based line of their comment."""

    def __init__(
        self, path: str, exits: Collection[str], members: Mapping[str, str], words: Mapping[int, str], *, package: bool
    ) -> None:
        super().__init__(path, exits, members, package=package)
        self.words = words
        self.said: dict[int, str] = {}

    def run(self, tree: ast.Module) -> Module:
        """Lower the whole file."""
        meets: dict[int, list[ast.expr]] = {}
        functions: list[Spot] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                self._mark(node)
            if isinstance(node, ast.Call):
                for line in {node.lineno, node.end_lineno or node.lineno}:
                    if self.words.get(line) == COLLECTIVE:
                        meets.setdefault(line, []).append(node)
            elif isinstance(node, _FUNCTIONS) and COLLECTIVE in self._words(node):
                functions.append(spot_of(node))
                for line in _header(node):
                    meets[line] = []  # what is called there makes the defaults
        module = super().run(tree)
        # Outer calls are met before the calls in them.
        module.meets = frozenset([*functions, *(spot_of(nodes[0]) for nodes in meets.values() if nodes)])
        module.words = dict(self.words)
        return module

    def spoken_of(self, node: ast.stmt) -> bool:
        """Whether one of the words stands beside a statement."""
        return bool(self._words(node))

    def _mark(self, node: ast.stmt) -> None:
        """Note the tests and values of a statement whose lines hold a word."""
        word = next((word for word in self._words(node) if word != COLLECTIVE), None)
        if word is not None:
            for part in _spoken_of(node):
                self.said[id(part)] = word

    def _words(self, node: ast.stmt) -> list[str]:
        return [self.words[line] for line in _header(node) if line in self.words]

    def expr(self, node: ast.expr) -> Term:
        """The term of an expression, and what its line says of it."""
        term = super().expr(node)
        word = self.said.get(id(node))
        return term if word is None else self.terms.make(Asserted, word, term)


def _header(node: ast.stmt) -> range:
    """The lines of a statement; of one with a body those before it."""
    body = getattr(node, "body", None)
    first = min((node.lineno, *(part.lineno for part in getattr(node, "decorator_list", ()))))
    if isinstance(body, list) and body:
        return range(first, max(first + 1, body[0].lineno))
    return range(first, (node.end_lineno or node.lineno) + 1)


def _spoken_of(node: ast.stmt) -> Iterator[ast.expr]:
    """The test or the value of a statement; of an expression whatever decides in it what runs."""
    if isinstance(node, (ast.If, ast.While, ast.Assert)):
        yield node.test
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.Expr):
        for part in ast.walk(node):
            if isinstance(part, ast.IfExp):
                yield part.test
            elif isinstance(part, ast.BoolOp):
                yield part.values[0]
            elif isinstance(part, ast.comprehension):
                yield from part.ifs
