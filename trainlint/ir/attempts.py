"""Attempts: ``try`` and ``with``, whose bodies may be left before their end."""

from __future__ import annotations

import ast
from typing import Any

from trainlint.finding import Spot
from trainlint.ir.assigned import assigned_in
from trainlint.ir.branches import Branches
from trainlint.ir.expressions import Env
from trainlint.ir.nodes import Entered, Global, LoopPhi, Nested, NestedClass, Ref, Term, Unknown
from trainlint.ir.sketch import ATTEMPT, Block, Caught, Statement, Try, With
from trainlint.ir.spots import spot_of
from trainlint.ir.terms import is_call_of


class Attempts(Branches):
    """Lowers ``try`` and ``with``."""

    def try_(self, node: Any) -> bool:
        """``try`` (and ``try`` with ``except*``): a handler starts with doubt about what the body assigns."""
        whole = self.statement
        before = dict(self.env)
        around = self.tests
        if node.handlers:
            self.tests = (*around, ATTEMPT)
        body, falls = self.block_of(node.body)
        orelse: Block = ()
        if falls:
            orelse, falls = self.block_of(node.orelse)
        after = self.env
        doubt = self.terms.make(Unknown, node.lineno, node.col_offset)
        doubtful = _doubtful(node.body) if node.handlers else ()
        handlers = []
        caught = []
        joins: list[Statement] = []
        for handler in node.handlers:
            self.env = dict(before)
            kinds = self.expr(handler.type) if handler.type is not None else None
            caught.append(Caught(kinds, _header(handler)))
            for name in doubtful:
                if name in self.env:
                    self.env[name] = self.terms.make(LoopPhi, name, handler.lineno, handler.col_offset, "in")
            if handler.name:
                self.env[handler.name] = self.terms.make(Unknown, handler.lineno, handler.col_offset)
            block, handler_falls = self.block_of(handler.body)
            handlers.append(block)
            if handler_falls:
                after = self.merged_try(doubt, after, self.env, node, whole, joins) if falls else self.env
                falls = True
        self.env = after
        self.tests = around
        final, final_falls = self.block_of(node.finalbody)
        if final:
            final, joins = (*joins, *final), []
        self.out += (Try(body, tuple(handlers), orelse, final, whole, tuple(caught)), *joins)
        return falls and final_falls

    def merged_try(self, doubt: Term, left: Env, right: Env, node: Any, whole: Spot, joins: list[Statement]) -> Env:
        """After ``try``: an import that worked stands for itself, whatever its fallback was. What differs goes to ``joins``."""
        imported = (Ref, Global, Nested, NestedClass)
        saved, self.out = self.out, joins
        settled = {name: left[name] if isinstance(left.get(name), imported) else term for name, term in right.items()}
        result = self.merged(doubt, left, settled, node, whole)
        self.out = saved
        return result

    def with_(self, node: ast.With | ast.AsyncWith) -> bool:
        """``with``: the managers in order, each bound before the next one is made."""
        whole = self.statement
        items = []
        for item in node.items:
            manager = self.expr(item.context_expr)
            items.append(manager)
            if item.optional_vars is not None:
                self.bind_pattern(item.optional_vars, self.terms.make(Entered, manager))
                self.out += self.bound_in(item.optional_vars)
        body, falls = self.block_of(node.body)
        self.out.append(With(tuple(items), body, whole))
        # ``suppress`` ends an exception here: what follows can run although the body ends in ``return``.
        return falls or any(is_call_of(item, "contextlib.suppress") for item in items)


def _doubtful(body: list[ast.stmt]) -> tuple[str, ...]:
    """What a body may have bound before it failed: not the name that its last statement binds, once it is through."""
    last = body[-1]
    if isinstance(last, ast.Assign) and all(isinstance(target, ast.Name) for target in last.targets):
        return assigned_in([*body[:-1], ast.Expr(last.value)])
    return assigned_in(body)


def _header(handler: ast.ExceptHandler) -> Spot:
    """Where a handler says what it catches; the word ``except`` of one that catches everything."""
    if handler.type is not None:
        return spot_of(handler.type)
    return Spot(handler.lineno, handler.col_offset, handler.lineno, handler.col_offset + len("except"))
