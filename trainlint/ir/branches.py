"""Branches: ``if`` with its ``elif`` chain, ``match``, and what names are bound to where two ways meet."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from trainlint.finding import Spot
from trainlint.ir.expressions import Env, Expressions
from trainlint.ir.nodes import And, Compare, Or, Select, Term, Unknown
from trainlint.ir.sketch import Block, If, Statement
from trainlint.ir.spots import spot_of

#: Tests around a place that are written down.
_MOST_TESTS = 20


class _Arm(NamedTuple):
    """One side of a branch, lowered: all that is needed to join it with what stands in its ``else``."""

    out: list[Statement]
    """What runs before the branch in the same block; the branch goes to its end."""
    condition: Term
    test: Spot
    body: Block
    env: Env
    falls: bool
    node: ast.stmt


class Branches(Expressions):
    """Lowers ``if`` and ``match``. Each arm of a chain nests in the ``else`` of the one before.

    A chain is walked down and joined on the way back without recursion: machine-written ones have thousands of arms.
    """

    def if_(self, node: ast.If) -> bool:
        """``if`` and the ``elif`` arms that follow; all arms bear the spot of the whole chain."""
        whole = self.statement
        arms: list[_Arm] = []
        around = self.tests
        while True:
            known = _constant_test(node.test)
            if known is not None:
                orelse, falls = self.block_of(node.body if known else node.orelse)
                # The main guard holds for analyses, but a file that is imported goes on after it.
                falls = falls or isinstance(node.test, ast.Compare)
                break
            condition = self.expr(node.test)
            if len(self.tests) < _MOST_TESTS:  # a chain may have thousands of arms
                self.tests = (*self.tests, condition)
            arms.append(self._arm(condition, spot_of(node.test), node.body, node))
            rest = node.orelse
            if len(rest) == 1 and isinstance(rest[0], ast.If) and rest[0].col_offset == node.col_offset:
                # An ``elif`` belongs to the statement that its chain began.
                node, self.statement, self.out = rest[0], whole, []
                continue
            orelse, falls = self.block_of(rest)
            break
        self.tests = around
        return self._joined(arms, orelse, whole, falls=falls, keep_empty=False)

    def match(self, node: ast.Match) -> bool:
        """``match``: a chain of tests on the subject; a case that always matches ends it."""
        whole = self.statement
        subject = self.expr(node.subject)
        arms: list[_Arm] = []
        orelse: Block = ()
        falls = True
        for case in node.cases:
            if arms:
                self.out = []
            self.statement = whole
            condition = self.pattern(case.pattern, subject)
            if case.guard is not None:
                guard = self.expr(case.guard)
                condition = guard if condition is None else self.terms.make(And, (condition, guard))
            if condition is None:
                block, falls = self.block_of(case.body)
                orelse = (*self.out, *block) if arms else block
                break
            arms.append(self._arm(condition, spot_of(case.pattern), case.body, node))
        return self._joined(arms, orelse, whole, falls=falls, keep_empty=True)

    def _arm(self, condition: Term, test: Spot, statements: list[ast.stmt], node: ast.stmt) -> _Arm:
        """Lower one side; the environment is then what it was before, for the other side."""
        before = self.env
        self.env = dict(before)
        body, falls = self.block_of(statements)
        arm = _Arm(self.out, condition, test, body, self.env, falls, node)
        self.env = before
        return arm

    def _joined(self, arms: list[_Arm], orelse: Block, whole: Spot, *, falls: bool, keep_empty: bool) -> bool:
        """Join the arms from the last to the first, starting from the last ``else`` and whether control runs past it.

        ``self.env`` is that of the ``else`` before and the joined one after; ``self.out`` is that of the whole chain again.
        """
        if not arms:
            self.out.extend(orelse)
        for index in range(len(arms) - 1, -1, -1):
            out, condition, test, body, env, body_falls, node = arms[index]
            self.out = out
            branch = If(condition, body, orelse, whole, test)
            if keep_empty:
                out.append(branch)
            else:
                self.branches(branch)
            if body_falls and falls:
                self.env = self.merged(condition, env, self.env, node, whole)
            elif body_falls:
                self.env = env
            falls = falls or body_falls
            if index:
                orelse = tuple(out)
        return falls

    def merged(self, condition: Term, left: Env, right: Env, node: Any, whole: Spot) -> Env:
        """The environment after a branch: where the sides differ, a conditional value; ``whole`` is the branch's spot."""
        result: Env = {}
        for name, term in left.items():
            other = right.get(name)
            if other is term:
                result[name] = term
            elif other is None:
                if isinstance(name, str):
                    result[name] = term  # unbound on the other side: a use would be an error there
            else:
                choice = self.terms.bounded(self.terms.make(Select, condition, term, other), node.lineno, node.col_offset)
                result[name] = choice
                if isinstance(name, str):
                    self.bound(name, choice, whole)
        for name, term in right.items():
            if isinstance(name, str) and name not in left:
                result[name] = term
        return result

    def pattern(self, pattern: ast.pattern, subject: Term) -> Term | None:
        """The test that a pattern makes, None for one that always matches; names in it are bound."""
        make = self.terms.make
        if isinstance(pattern, ast.MatchValue):
            return make(Compare, "Eq", subject, self.expr(pattern.value))
        if isinstance(pattern, ast.MatchSingleton):
            return make(Compare, "Is", subject, self.terms.const(pattern.value))
        if isinstance(pattern, ast.MatchOr):
            tests = [self.pattern(part, subject) for part in pattern.patterns]
            known = [test for test in tests if test is not None]
            return None if len(known) < len(tests) else make(Or, tuple(known))
        if isinstance(pattern, ast.MatchAs):
            test = None if pattern.pattern is None else self.pattern(pattern.pattern, subject)
            if pattern.name:
                self.hold(pattern.name, subject, spot_of(pattern))
            return test
        self._capture_parts(pattern)
        return make(Unknown, pattern.lineno, pattern.col_offset)

    def _capture_parts(self, pattern: ast.pattern) -> None:
        """Bind the names inside a sequence, mapping or class pattern to unknown values."""
        for part in ast.walk(pattern):
            name = part.rest if isinstance(part, ast.MatchMapping) else getattr(part, "name", None)
            if isinstance(name, str):
                self.hold(name, self.unknown(part), spot_of(part))


#: Names of what is settled by the interpreter (``PY2``, ``PY3``: six) or by its absence.
_SETTLED = {"TYPE_CHECKING": True, "PY3": True, "PY2": False}


def _constant_test(node: ast.expr) -> bool | None:
    """The value of tests that are settled before any rank is asked: constants, TYPE_CHECKING, the main guard."""
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__":
        return True
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
    return _SETTLED.get(name) if name is not None else None
