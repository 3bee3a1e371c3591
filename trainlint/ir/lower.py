"""Lowering: one pass over a parsed file that leaves sketches and terms (see :mod:`~trainlint.ir.sketch`).

The pass runs forward through each function and keeps an environment: what every name is bound to here. At a branch the
environment is copied, at the join the two are merged (``x = 1 if c else 2`` and the four-line form give the same term);
a loop makes uncertain what it assigns. The top level of a file comes first, functions are lowered when it is complete.

Each kind of statement has a room of its own: :mod:`~trainlint.ir.expressions` (names, functions, classes),
:mod:`~trainlint.ir.statements` (bindings), :mod:`~trainlint.ir.branches`, :mod:`~trainlint.ir.loops`,
:mod:`~trainlint.ir.attempts` (``try``, ``with``) and :mod:`~trainlint.ir.exits`. Here they are put together.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import Any

from trainlint.ir.attempts import Attempts
from trainlint.ir.exits import Exits
from trainlint.ir.loops import Loops
from trainlint.ir.sketch import Block, Module
from trainlint.ir.spots import spot_of
from trainlint.ir.statements import Statements


class Lowering(Statements, Attempts, Loops, Exits):
    """Lowers one file. ``exits`` are the dotted names of calls that end the process (``sys.exit``)."""

    def run(self, tree: ast.Module) -> Module:
        """Lower the whole file."""
        module = self.module
        module.functions["<module>"] = self.function
        body, _ = self.block_of(tree.body)
        self.function.body = body
        module.names = {name: term for name, term in self.env.items() if isinstance(name, str)}
        self.complete = True
        while self.waiting:
            self.lower_function(*self.waiting.pop())
        for function in module.functions.values():
            function.settle()
        module.rebound = frozenset(self.rebound)
        module.taken = tuple(self.taken)
        module.imports = tuple(dict.fromkeys(self.imported))
        return module

    def block_of(self, statements: Sequence[ast.stmt]) -> tuple[Block, bool]:
        """Lower statements; says whether control can run past their end."""
        saved, self.out = self.out, []
        falls = True
        for node in statements:
            handler = _STATEMENTS.get(type(node))
            if handler is None:
                continue
            self.statement = spot_of(node)
            falls = handler(self, node)
            if not falls:
                break
        block, self.out = tuple(self.out), saved
        return block, falls


_STATEMENTS: dict[type[ast.stmt], Any] = {
    ast.Expr: Lowering.expression,
    ast.Assign: Lowering.assign,
    ast.AnnAssign: Lowering.annotated,
    ast.AugAssign: Lowering.augmented,
    ast.Import: Lowering.import_,
    ast.ImportFrom: Lowering.import_from,
    ast.If: Lowering.if_,
    ast.For: Lowering.for_,
    ast.AsyncFor: Lowering.for_,
    ast.While: Lowering.while_,
    ast.Try: Lowering.try_,
    ast.With: Lowering.with_,
    ast.AsyncWith: Lowering.with_,
    ast.Return: Lowering.return_,
    ast.Raise: Lowering.raise_,
    ast.Break: Lowering.break_,
    ast.Continue: Lowering.continue_,
    ast.Assert: Lowering.assert_,
    ast.Delete: Lowering.delete,
    ast.Global: Lowering.global_,
    ast.Nonlocal: Lowering.nonlocal_,
    ast.FunctionDef: Lowering.function_def,
    ast.AsyncFunctionDef: Lowering.function_def,
    ast.ClassDef: Lowering.class_def,
    ast.Match: Lowering.match,
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _STATEMENTS[ast.TryStar] = Lowering.try_


def lower(path: str, tree: ast.Module, exits: Collection[str], *, package: bool = False) -> Module:
    """Lower a parsed file.

    ``path`` is the file as the engine names it, ``exits`` the dotted names of calls that end the process, ``package``
    whether the file is an ``__init__.py``. Raises RecursionError when the file is nested too deeply for the stack.
    """
    return Lowering(path, exits, package=package).run(tree)
