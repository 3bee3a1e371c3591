"""Lowering: one pass over a parsed file that leaves sketches and terms (see :mod:`~trainlint.ir.sketch`).

The pass runs forward through each function and keeps an environment: what every name is bound to here. At a branch the
environment is copied, at the join the two are merged (``x = 1 if c else 2`` and the four-line form give the same term);
a loop makes uncertain what it assigns. The top level of a file comes first, functions are lowered when it is complete.

Here are the statements, a class for each sort of them: bindings, exits, loops, branches, ``try`` and ``with``. Expressions and
scopes are in :mod:`~trainlint.ir.expressions`, what lists and dicts hold in :mod:`~trainlint.ir.containers`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from trainlint.finding import Spot
from trainlint.ir.assigned_names import assigned_in, names_bound, taken_apart
from trainlint.ir.attributes import attribute_under
from trainlint.ir.containers import Contents, Items
from trainlint.ir.definitions import Definitions
from trainlint.ir.expressions import NO_MEMBERS, Env, Expressions
from trainlint.ir.iteration import breaks, yields_once
from trainlint.ir.local_functions import inline_local_functions, surveyed
from trainlint.ir.nodes import (
    And,
    Attr,
    Augmented,
    BinOp,
    Call,
    Compare,
    Const,
    Element,
    Entered,
    Global,
    LoopPhi,
    Nested,
    NestedClass,
    Or,
    Ref,
    Select,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import (
    ATTEMPT,
    SILENT,
    Block,
    CallStep,
    Caught,
    Exit,
    If,
    Imported,
    Keep,
    Loop,
    Module,
    Phi,
    Statement,
    Store,
    Try,
    With,
    spot_of,
    step,
)
from trainlint.ir.terms import LONGEST, OWN, is_call_of, is_none


class Statements(Expressions):
    """Lowers assignments, imports, ``del``, ``global`` and ``nonlocal``; control always runs past these."""

    def assign(self, node: ast.Assign) -> bool:
        """``a = b = value``: one value, bound to each target from left to right."""
        value = self.expr(node.value)
        for target in node.targets:
            self.bind(target, value, node)
        return True

    def annotated(self, node: ast.AnnAssign) -> bool:
        """``a: T = value``; without a value nothing is bound."""
        if node.value is not None:
            self.bind(node.target, self.expr(node.value), node)
        if self.function.kind == "class" and self.cls is not None and isinstance(node.target, ast.Name):
            self.cls.fields = (*self.cls.fields, node.target.id)
        return True

    def augmented(self, node: ast.AugAssign) -> bool:
        """``a += value`` is arithmetic on what the name or the item was; what an attribute then holds is not worked out."""
        added = self.expr(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            old = self.lookup(target.id)
            method = self.contents.grown(self.env, old, type(node.op).__name__)
            if method is None:
                self.bind(target, self.sum(node, old, added), node)
            else:
                call = self.terms.make(Call, self.member(old, method), (added,), (), spot_of(node))
                self.out.append(CallStep(call, self.statement))
                self.contents.call(self.env, call)
            return True
        base = self.expr(target.value)
        place: Term
        if isinstance(target, ast.Attribute):
            place = self.terms.make(Attr, base, target.attr)
            value = self.terms.composite(Augmented, node.lineno, node.col_offset, (place, added))
            self.store(place, value, self.statement, "AugAssign")
        else:
            self.changed(base, target)
            key = self.expr(target.slice)
            place = self.item(target, base, key)
            held = self.contents.read(self.env, base, key)
            self.contents.store(self.env, base, key, self.sum(node, place if held is None else held, added))
        self.out.append(Keep(place, self.sum(node, place, added), self.statement, "AugAssign"))
        return True

    def sum(self, node: ast.AugAssign, old: Term, added: Term) -> Term:
        """What ``+=`` and its like make of the old value and what is added."""
        return self.bounded(self.terms.make(BinOp, type(node.op).__name__, old, added), node)

    def bind(self, target: ast.expr, value: Term, node: ast.stmt) -> None:
        """Bind an assignment target; what outlives the function is also written down as a store."""
        if isinstance(target, ast.Name):
            carried = self.carried.get(target.id)
            if carried is not None:
                self.out.append(step(Keep, (carried, value, self.statement, type(node).__name__)))
            if target.id in self.shared:
                held = self.unsettled(target.id, node)
                self.function.phis[held], value = Phi(value, None), held
            self.contents.named(value, target.id)
            self.hold(target.id, value, self.statement, kind=type(node).__name__)
            if target.id in self.nonlocals:
                self.out.append(Store(self.nonlocals[target.id], value, self.statement, type(node).__name__))
            if target.id in self.globals:
                self.rebound.add(target.id)
                self.out.append(Store(self.terms.make(Global, target.id), value, self.statement, type(node).__name__))
        elif isinstance(target, ast.Attribute):
            self.store(self.terms.make(Attr, self.expr(target.value), target.attr), value, self.statement, type(node).__name__)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for item, part in zip(target.elts, self.parts(target, value), strict=True):
                self.bind(item, part, node)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value, node)
        elif isinstance(target, ast.Subscript):
            base = self.expr(target.value)
            self.changed(base, target)
            key = self.expr(target.slice)
            named = attribute_under(base, key)
            if named is not None:
                self.store(self.terms.make(Attr, *named), value, self.statement, type(node).__name__)
                return
            self.out.append(step(Keep, (self.item(target, base, key), value, self.statement, type(node).__name__)))
            self.contents.store(self.env, base, key, value)

    def import_(self, node: ast.Import) -> bool:
        """``import a.b`` binds ``a``, ``import a.b as c`` binds ``c`` to ``a.b``."""
        for alias in node.names:
            if alias.asname:
                self.hold(alias.asname, self.terms.imported(alias.name), self.statement)
            else:
                top = alias.name.partition(".")[0]
                self.hold(top, self.terms.imported(top), self.statement)
            self._take(alias.asname or top, alias.name if alias.asname else top)
            if "." in alias.name or self.function.kind != "module":
                self.imported.append(alias.name)
        return True

    def import_from(self, node: ast.ImportFrom) -> bool:
        """``from a import b``; the dots of a relative import stay in the name, a star import is kept for linking."""
        base = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.module.stars = (*self.module.stars, base)
            else:
                joint = "" if not node.module else "."
                term = self.terms.imported(f"{base}{joint}{alias.name}")
                if self.function.kind != "module":
                    self.imported.append(term.name)
                self.hold(alias.asname or alias.name, term, self.statement)
                self._take(alias.asname or alias.name, term.name, base)
        return True

    def _take(self, name: str, dotted: str, whence: str | None = None) -> None:
        self.taken.append(step(Imported, (name, dotted, self.statement, self.function.qualname, self.tests, whence)))

    def delete(self, node: ast.Delete) -> bool:
        """``del name`` forgets the name; ``del base[key]`` is the call of a method, as it is when it runs; attributes stay."""
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.env.pop(target.id, None)
                self.bound(target.id, None, self.statement)
            elif isinstance(target, ast.Subscript):
                base = self.expr(target.value)
                self.changed(base, target)
                key = self.expr(target.slice)
                term = self.terms.make(Call, self.member(base, "__delitem__"), (key,), (), spot_of(target))
                self.out.append(CallStep(term, self.statement))
                self.contents.remove(self.env, base, key)
        return True

    def global_(self, node: ast.Global) -> bool:
        """The names are the file's from here on. At the top level they are that anyway."""
        if self.function.kind == "module":
            return True
        self.globals.update(node.names)
        self.rebound.update(node.names)
        for name in node.names:
            self.env.pop(name, None)
        return True

    def nonlocal_(self, node: ast.Nonlocal) -> bool:
        """The names belong to an outer function: what they hold when this one runs is not known."""
        for name in node.names:
            self.nonlocals[name] = self.unsettled(name, node)
            self.hold(name, self.nonlocals[name], self.statement)
        return True


#: Whether control runs past the ends of two arms: one object for each of the four answers.
_FALLS = {each: each for each in ((True, True), (True, False), (False, True), (False, False))}


class Exits(Expressions):
    """Lowers the ways out; a method that returns False says that control never runs past its statement."""

    def expression(self, node: ast.Expr) -> bool:
        """A statement that is only an expression; a call that ends the process is a way out."""
        if isinstance(node.value, ast.Constant):
            return True
        term = self.expr(node.value)
        if isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name in self.exits:
            fails = self.terms.imported("builtins.SystemExit") if _reports(node.value) else None
            self.out.append(Exit("exit", None, self.statement, fails))
            return False
        return True

    def return_(self, node: ast.Return) -> bool:
        """``return``, with the term of its value or None."""
        value = self.expr(node.value) if node.value is not None else None
        self.out.append(step(Exit, ("return", value, self.statement, None)))
        return False

    def raise_(self, node: ast.Raise) -> bool:
        """``raise``: what makes the exception runs before."""
        error = self.expr(node.exc) if node.exc is not None else None
        if node.cause is not None:
            self.expr(node.cause)
        self.out.append(step(Exit, ("raise", None, self.statement, error)))
        return False

    def break_(self, _node: ast.Break) -> bool:
        """``break`` leaves the innermost loop."""
        self.ends.append(dict(self.env))
        self.out.append(Exit("break", None, self.statement))
        return False

    def continue_(self, _node: ast.Continue) -> bool:
        """``continue`` leaves this round of the innermost loop."""
        self.out.append(Exit("continue", None, self.statement))
        return False

    def assert_(self, node: ast.Assert) -> bool:
        """``assert`` is a branch whose other side raises; its message is not evaluated where it matters.

        What is asserted of a constant that is false (``assert False, "no such model"``) is only a way to raise.
        """
        condition = self.expr(node.test)
        spot = self.statement
        fails = Exit("raise", None, spot, self.terms.imported("builtins.AssertionError"))
        if isinstance(condition, Const) and not condition.value:
            self.out.append(fails)
            return False
        self.out.append(If(condition, (), (fails,), spot, spot_of(node.test), _FALLS[True, False]))
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


#: Values worth naming: what calls and arithmetic give.
_NAMED = frozenset((Call, Select, Subscript, BinOp, Attr, Or, And))


#: What is not the same in each round, or nobody knows what.
_OF_ROUNDS = frozenset((LoopPhi, Select, Unknown))


class Loops(Expressions):
    """Lowers loops. A body is lowered once, as any round of it."""

    def for_(self, node: ast.For | ast.AsyncFor) -> bool:
        """``for``: its target holds one element of what it iterates over; control always gets past it.

        Over exactly one item, which is known, it is no loop.
        """
        whole, start = self.statement, len(self.out)
        subject = self.expr(node.iter)
        only = self._only_item(node, subject, start)
        if only is not None:
            return self._once(node, only)
        names = assigned_in(node.body)
        outside = self.carried
        self.contents.spoil_touched(self.env, node)
        before = self.forget(names, node, "head")
        target = self.terms.make(Element, subject, node.lineno, node.col_offset)
        self.bind_pattern(node.target, target)
        drawn = self.bound_in(node.target)
        ends, self.ends = self.ends, []
        body, _ = self.block_of(node.body)
        self._keep(before)
        self.carried = outside
        self.contents.spoil_touched(self.env, node)
        self._end(names, before, self.forget(names, node, "exit"), ended=True)
        self.ends = ends
        orelse, _ = self.block_of(node.orelse)
        self.out.append(step(Loop, ("for", subject, target, names_bound(node.target), drawn + body, orelse, whole, len(drawn))))
        return True

    def _only_item(self, node: ast.For | ast.AsyncFor, subject: Term, start: int) -> Term | None:
        """The one item that a ``for`` hands out; None if there may be others, or if its rounds can be left in the middle."""
        if isinstance(subject, Call) and isinstance(subject.callee, Global) and self._is_once(subject.callee):
            if breaks(node.body, (ast.Break, ast.Continue)):
                return None
            return self.terms.make(Subscript, subject, self.terms.const(0))
        iteration = self.iteration(start)
        drawn = iteration.drawn(subject)
        if drawn is None or len(drawn) != 1 or breaks(node.body, (ast.Break, ast.Continue)):
            return None
        after = dict(self.env)
        self.contents.spoil_touched(after, node)
        return drawn[0] if iteration._replace(env=after).drawn(subject) == drawn else None

    def _is_once(self, callee: Global) -> bool:
        """Whether a name is that of a generator which is written in this file, and hands out one item."""
        function = self._plain(callee.name)
        return function is not None and yields_once(function, self._plain)

    def _plain(self, name: str) -> ast.FunctionDef | None:
        """The function of the top level that a name stands for."""
        held = (self.module.names if self.complete else self.env).get(name)
        return self.plain.get(name) if held is self.terms.make(Global, name) and name not in self.rebound else None

    def _once(self, node: ast.For | ast.AsyncFor, item: Term) -> bool:
        """A ``for`` over one item: that is bound, then the body runs, then what stands in the ``else``."""
        self.bind_pattern(node.target, item)
        self.out += self.bound_in(node.target)
        body, falls = self.block_of(node.body)
        self.out += body
        if falls:
            orelse, falls = self.block_of(node.orelse)
            self.out += orelse
        return falls

    def while_(self, node: ast.While) -> bool:
        """``while``: calls in the condition run in every round; an endless loop without ``break`` is never left."""
        whole = self.statement
        names = assigned_in(node.body)
        outside = self.carried
        self.contents.spoil_touched(self.env, node)
        before = self.forget(names, node, "head")
        condition, test = self.apart(node.test)
        endless = isinstance(condition, Const) and bool(condition.value)
        ends, self.ends = self.ends, []
        body, _ = self.block_of(node.body)
        self._keep(before)
        self.carried = outside
        self.contents.spoil_touched(self.env, node)
        self._end(names, before, self.forget(names, node, "exit"), ended=not endless)
        self.ends = ends
        orelse, _ = self.block_of(node.orelse)
        self.out.append(Loop("while", condition, None, (), test + body, orelse, whole))
        return not endless or breaks(node.body)

    def _keep(self, before: dict[LoopPhi, Term]) -> None:
        """Write down what the loop's names hold in a round, and what they held ``before``."""
        for held, first in before.items():
            last = self.env.get(held.name)
            if last is not None and last is not held:
                self.function.phis[held] = step(Phi, (first, last))

    def _end(self, names: tuple[str, ...], before: dict[LoopPhi, Term], last: dict[LoopPhi, Term], *, ended: bool) -> None:
        """Write down what the loop's names held at the end of the last round, where that says where it came from.

        A name that had no value before is then what it was bound to where the loop was left: by ``break``, or as it ``ended``.
        """
        self.left.update(last)
        self.function.phis.update((held, step(Phi, (None, term))) for held, term in last.items() if type(term) in _NAMED)
        rounds = {held.name: term for held, term in last.items()}
        bound = {held.name for held, term in before.items() if not is_none(term)}
        for name in names:
            found = {end.get(name) for end in (*self.ends, *((rounds,) if ended else ()))} if name not in bound else ()
            only = found.pop() if len(found) == 1 else None
            if only is not None and type(only) not in _OF_ROUNDS:
                self.env[name] = only

    def forget(self, names: tuple[str, ...], node: ast.For | ast.AsyncFor | ast.While, at: str) -> dict[LoopPhi, Term]:
        """What a loop assigns is not what it was before (``at`` its "head", or its "exit"): what it was."""
        carried: dict[str, Term | None] = {}
        before: dict[LoopPhi, Term] = {}
        for name in names:
            if name[0] == ".":
                for place in [p for p in self.env if isinstance(p, Attr) and p.name == name[1:]] if self.has_places else ():
                    del self.env[place]
            elif name in self.env:
                held = self.terms.make(LoopPhi, name, node.lineno, node.col_offset, at)
                before[held] = self.env[name]
                self.env[name] = carried[name] = held
            else:
                carried[name] = None
        if at == "head" and carried:
            self.carried = {**self.carried, **carried}
        return before


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
                if isinstance(node.test, ast.BoolOp):
                    self.expr(node.test)
                orelse, falls = self.block_of(node.body if known else node.orelse)
                # The main guard holds for analyses, but a file that is imported goes on after it.
                falls = falls or isinstance(node.test, ast.Compare)
                break
            condition = self.expr(node.test)
            if len(self.tests) < LONGEST:  # a chain may have thousands of arms
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
        arm: _Arm = step(_Arm, (self.out, condition, test, body, self.env, falls, node))
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
            branch: If = step(If, (condition, body, orelse, whole, test, _FALLS[body_falls, falls]))
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
        if left == right:
            return left  # most branches bind nothing
        result = dict(left)
        for name in [name for name, term in left.items() if right.get(name) is not term]:  # few of all
            other = right.get(name)
            if isinstance(name, Items):
                result[name] = self.contents.joined(name, condition, left, right)
            elif other is not None:
                result[name] = choice = self.bounded(self.terms.make(Select, condition, left[name], other), node)
                if isinstance(name, str):
                    self.bound(name, choice, whole)
            elif not isinstance(name, str):
                del result[name]
            elif name in self.carried and left[name] in self.contents.tracked:
                self.contents.spoil(result, left[name])  # it may be the container of an earlier round
        for name in [name for name in right if name not in left] if not right.keys() <= left.keys() else ():
            if isinstance(name, str):
                result[name] = right[name]
            elif isinstance(name, Items):
                result[name] = self.contents.joined(name, condition, left, right)
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
        if isinstance(pattern, (ast.MatchAs, ast.MatchStar)):
            inner = pattern.pattern if isinstance(pattern, ast.MatchAs) else None
            test = None if inner is None else self.pattern(inner, subject)
            if pattern.name:
                self.hold(pattern.name, subject, spot_of(pattern))
            return test
        for part, of in taken_apart(pattern):
            if of is None or isinstance(of, str):
                self.pattern(part, self.unknown(part) if of is None else self.member(subject, of))
            else:
                key = self.terms.const(of) if isinstance(of, int) else self.expr(of)
                self.pattern(part, self.contents.read(self.env, subject, key) or make(Subscript, subject, key))
        return make(Unknown, pattern.lineno, pattern.col_offset)


#: Names of what is settled by the interpreter (``PY2``, ``PY3``: six) or by its absence.
_SETTLED = {"TYPE_CHECKING": True, "PY3": True, "PY2": False}


def _constant_test(node: ast.expr) -> bool | None:
    """The value of tests that are settled before any rank is asked: constants, TYPE_CHECKING, the main guard."""
    if isinstance(node, ast.Compare):
        return True if isinstance(node.left, ast.Name) and node.left.id == "__name__" else None
    if isinstance(node, ast.Name):
        return _SETTLED.get(node.id)
    if isinstance(node, ast.Attribute):
        return _SETTLED.get(node.attr)
    if isinstance(node, ast.BoolOp):
        ends, said = isinstance(node.op, ast.Or), {_constant_test(each) for each in node.values}
        return ends if ends in said else None if None in said else not ends
    return bool(node.value) if isinstance(node, ast.Constant) else None


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
        ways = [falls]
        after = self.env
        doubt = self.terms.make(Unknown, node.lineno, node.col_offset)
        doubtful = _doubtful(node.body) if node.handlers else ()
        handlers = []
        caught = []
        joins: list[Statement] = []
        for handler in node.handlers:
            self.env = dict(before)
            self.contents.spoil_touched(self.env, node)
            kinds = self.expr(handler.type) if handler.type is not None else None
            caught.append(Caught(kinds, _header(handler)))
            for name in doubtful:
                if name in self.env:
                    self.env[name] = self.terms.make(LoopPhi, name, handler.lineno, handler.col_offset, "head")
            if handler.name:
                self.env[handler.name] = self.terms.make(Unknown, handler.lineno, handler.col_offset)
            block, handler_falls = self.block_of(handler.body)
            handlers.append(block)
            ways.append(handler_falls)
            if handler_falls:
                after = self.merged_try(doubt, after, self.env, node, whole, joins) if falls else self.env
                falls = True
        self.env = after
        self.tests = around
        final, final_falls = self.block_of(node.finalbody)
        if final:
            final, joins = (*joins, *final), []
        self.out += (Try(body, tuple(handlers), orelse, final, whole, tuple(caught), tuple(ways)), *joins)
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
        for manager in items:
            if isinstance(manager, Call) and isinstance(manager.callee, Ref) and manager.callee.name in _STACKS:
                body = self._unwound(manager, body, whole, falls=falls)
        self.out.append(With(tuple(items), body, whole))
        # ``suppress`` ends an exception here: what follows can run although the body ends in ``return``.
        return falls or any(is_call_of(item, "contextlib.suppress") for item in items)

    def _unwound(self, stack: Term, body: Block, whole: Spot, *, falls: bool) -> Block:
        """The body of a ``with``: the functions of this file that it gives to a stack run in a ``finally`` behind the rest."""
        for index in range(len(body) - 1, -1, -1):
            step = body[index]
            if isinstance(step, CallStep) and _is_callback(step.term, stack):
                given, rest = step.term.args, body[index + 1 :]
                term = self.terms.make(Call, given[0], given[1:], step.term.kwargs, step.term.site)
                later = CallStep(term, step.statement)
                self.forget_attributes(given[0], given[1:])
                runs = any(type(each) not in SILENT for each in rest)
                behind = (Try(rest, (), (), (later,), whole, (), (falls,)),) if runs else (*rest, later)
                body = (*body[:index], *behind)
        return body


#: What runs, at its end, what was given to its method ``callback``.
_STACKS = frozenset(("contextlib.ExitStack", "contextlib.AsyncExitStack"))


def _is_callback(call: Call, stack: Term) -> bool:
    """Whether a call gives a function of this file to a stack."""
    callee = call.callee
    if not (isinstance(callee, Attr) and callee.name == "callback" and isinstance(callee.base, Entered)):
        return False
    return callee.base.manager is stack and isinstance(next(iter(call.args), None), OWN)


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


class Lowering(Statements, Definitions, Attempts, Loops, Exits):
    """Lowers one file."""

    def run(self, tree: ast.Module) -> Module:
        """Lower the whole file."""
        outer, declared = surveyed(tree.body)
        inline_local_functions(outer, self.spoken_of)
        module = self.module
        module.functions["<module>"], module.rebound = self.function, declared
        body, _ = self.block_of(tree.body)
        self.function.body = body
        module.names = {name: term for name, term in self.env.items() if isinstance(name, str)}
        self.complete = True
        self.at_top, self.contents = (self.contents, self.env), Contents(self.terms)
        while self.waiting:
            self.lower_function(*self.waiting.pop())
        for function in module.functions.values():
            function.settle()
        module.rebound = frozenset(self.rebound)
        module.taken = tuple(self.taken)
        module.imports = tuple(dict.fromkeys(self.imported))
        return module

    def spoken_of(self, node: ast.stmt) -> bool:  # noqa: ARG002
        """Whether a comment says something of a statement that the analysis is to believe."""
        return False

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


def lower(
    path: str, tree: ast.Module, exits: Collection[str], members: Mapping[str, str] = NO_MEMBERS, *, package: bool = False
) -> Module:
    """Lower a parsed file.

    ``path`` is the file as the engine names it, ``exits`` the dotted names of calls that end the process, ``members`` what stands
    for any member of a module whose members are all of one kind, ``package`` whether the file is an ``__init__.py``. Raises
    RecursionError when the file is nested too deeply for the stack.
    """
    return Lowering(path, exits, members, package=package).run(tree)
