"""Lowering of expressions: an ``ast`` expression becomes a term, and the calls in it are written down in running order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from trainlint.finding import Spot
from trainlint.model.sketch import Block, Call, If, Loop, Statement, Yield
from trainlint.model.terms import Term, Terms

_CONSTANTS = (bool, int, float, str, type(None))
_LONGEST_STRING = 200
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr)

Env = dict[Any, Term]


def spot_of(node: Any) -> Spot:
    """The parser's place of a node."""
    return Spot(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


class Expressions:
    """Turns expressions into terms. The statements that run on the way are appended to ``self.out``.

    The class is the lower half of the lowering; :class:`trainlint.model.lower.Lowering` adds statements and scopes.
    """

    terms: Terms
    env: Env
    out: list[Statement]
    statement: Spot

    def lookup(self, name: str) -> Term:
        """What a name is bound to at this point."""
        raise NotImplementedError

    def nested_function(self, node: ast.Lambda) -> Term:
        """Register a lambda for lowering and return its term."""
        raise NotImplementedError

    def expr(self, node: ast.expr) -> Term:
        """The term of an expression; calls in it are emitted."""
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            return handler(self, node)
        return self.opaque(node)

    def unknown(self, node: Any) -> Term:
        """One symbol for the value that this place computes."""
        return self.terms.make("v", node.lineno, node.col_offset)

    def opaque(self, node: ast.AST) -> Term:
        """An expression whose value nobody asks about; its parts may still call something."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expr(child)
            elif isinstance(child, (ast.keyword, ast.Starred)):
                self.expr(child.value)
        return self.unknown(node)

    def captured(self, run: Callable[[], Term]) -> tuple[Term, Block]:
        """Run a part of the lowering and take the statements it emitted instead of appending them."""
        saved, self.out = self.out, []
        try:
            return run(), tuple(self.out)
        finally:
            self.out = saved

    # -- leaves ---------------------------------------------------------------------------------------------------

    def name(self, node: ast.Name) -> Term:
        return self.lookup(node.id)

    def constant(self, node: ast.Constant) -> Term:
        value = node.value
        if not isinstance(value, _CONSTANTS) or (isinstance(value, str) and len(value) > _LONGEST_STRING):
            return self.unknown(node)
        return self.terms.const(value)

    def attribute(self, node: ast.Attribute) -> Term:
        base = self.expr(node.value)
        return self.member(base, node.attr)

    def member(self, base: Term, name: str) -> Term:
        """``base.name``, as the name it is known by when the base is a module."""
        if base[0] == "r":
            return self.terms.make("r", f"{base[1]}.{name}")
        place = self.terms.make("a", base, name)
        return self.env.get(place, place)

    # -- calls ----------------------------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> Term:
        callee = self.expr(node.func)
        args = tuple([self.argument(arg) for arg in node.args])
        kwargs = tuple([(kw.arg, self.argument(kw.value)) for kw in node.keywords])
        term = self.terms.make("call", callee, args, kwargs, spot_of(node))
        self.out.append(Call(term, self.statement))
        self.forget_attributes(callee, args)
        return term

    def argument(self, node: ast.expr) -> Term:
        term = self.expr(node)
        return self.terms.bounded(term, node.lineno, node.col_offset)

    def forget_attributes(self, callee: Term, args: Sequence[Term]) -> None:
        """A call may set attributes of its receiver and of its arguments: what was known of them is known no more."""
        env = self.env
        places = [place for place in env if type(place) is Term]
        if not places:
            return
        touched = {callee[1]} if callee[0] == "a" else set()
        touched.update(args)
        for place in places:
            if place[1] in touched:
                del env[place]

    # -- operators ------------------------------------------------------------------------------------------------

    def unary(self, node: ast.UnaryOp) -> Term:
        operand = self.expr(node.operand)
        if isinstance(node.op, ast.Not):
            return self.terms.make("not", operand)
        if isinstance(node.op, ast.USub) and operand[0] == "c" and isinstance(operand[2], (int, float)):
            return self.terms.const(-operand[2])
        return self.unknown(node)

    def boolean(self, node: ast.BoolOp) -> Term:
        """``a and f()``: the call runs only when ``a`` is true, so it stands in a branch of its own."""
        tag = "and" if isinstance(node.op, ast.And) else "or"
        first = self.expr(node.values[0])
        operands = [first]
        blocks: list[Block] = []
        for value in node.values[1:]:
            term, block = self.captured(lambda value=value: self.expr(value))  # type: ignore[misc]
            operands.append(term)
            blocks.append(block)
        inner: Block = ()
        spot = spot_of(node)
        for index in range(len(blocks) - 1, -1, -1):
            body = blocks[index] + inner
            if not body:
                continue
            condition = operands[index]
            inner = (If(condition, body, (), spot, spot),) if tag == "and" else (If(condition, (), body, spot, spot),)
        self.out.extend(inner)
        return self.terms.bounded(self.terms.make(tag, tuple(operands)), node.lineno, node.col_offset)

    def compare(self, node: ast.Compare) -> Term:
        left = self.expr(node.left)
        parts = []
        for operator, comparator in zip(node.ops, node.comparators):
            right = self.expr(comparator)
            parts.append(self.terms.make("cmp", type(operator).__name__, left, right))
            left = right
        if len(parts) == 1:
            return self.terms.bounded(parts[0], node.lineno, node.col_offset)
        return self.terms.bounded(self.terms.make("and", tuple(parts)), node.lineno, node.col_offset)

    def binary(self, node: ast.BinOp) -> Term:
        left, right = self.expr(node.left), self.expr(node.right)
        if isinstance(node.op, _ARITHMETIC):
            return self.terms.bounded(
                self.terms.make("bin", type(node.op).__name__, left, right), node.lineno, node.col_offset
            )
        return self.unknown(node)

    def conditional(self, node: ast.IfExp) -> Term:
        condition = self.expr(node.test)
        then, body = self.captured(lambda: self.expr(node.body))
        other, orelse = self.captured(lambda: self.expr(node.orelse))
        if body or orelse:
            self.out.append(If(condition, body, orelse, spot_of(node), spot_of(node.test)))
        return self.terms.bounded(self.terms.make("if", condition, then, other), node.lineno, node.col_offset)

    def named(self, node: ast.NamedExpr) -> Term:
        term = self.expr(node.value)
        self.env[node.target.id] = term
        return term

    # -- containers -----------------------------------------------------------------------------------------------

    def sequence(self, node: ast.Tuple | ast.List | ast.Set) -> Term:
        tag = type(node).__name__.lower()
        items = tuple([self.expr(item) for item in node.elts])
        return self.terms.bounded(self.terms.make(tag, items), node.lineno, node.col_offset)

    def mapping(self, node: ast.Dict) -> Term:
        pairs = []
        for key, value in zip(node.keys, node.values):
            key_term = self.expr(key) if key is not None else self.unknown(value)
            pairs.append((key_term, self.expr(value)))
        return self.terms.bounded(self.terms.make("dict", tuple(pairs)), node.lineno, node.col_offset)

    def subscript(self, node: ast.Subscript) -> Term:
        base = self.expr(node.value)
        key = self.expr(node.slice)
        return self.terms.bounded(self.terms.make("sub", base, key), node.lineno, node.col_offset)

    def starred(self, node: ast.Starred) -> Term:
        self.expr(node.value)
        return self.unknown(node)

    # -- things with a body of their own ---------------------------------------------------------------------------

    def lambda_(self, node: ast.Lambda) -> Term:
        return self.nested_function(node)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Term:
        saved = dict(self.env)
        _, block = self.captured(lambda: self._generators(node, 0))
        self.env = saved
        self.out.extend(block)
        return self.unknown(node)

    def _generators(self, node: Any, index: int) -> Term:
        if index == len(node.generators):
            for part in (getattr(node, "key", None), getattr(node, "elt", None), getattr(node, "value", None)):
                if part is not None:
                    self.expr(part)
            return self.unknown(node)
        generator = node.generators[index]
        subject = self.expr(generator.iter)
        target = self.terms.make("elem", subject, generator.target.lineno, generator.target.col_offset)
        self.bind_pattern(generator.target, target)

        def inside() -> Term:
            tests = [self.expr(test) for test in generator.ifs]
            result, block = self.captured(lambda: self._generators(node, index + 1))
            if block and tests:
                condition = tests[0] if len(tests) == 1 else self.terms.make("and", tuple(tests))
                test = spot_of(generator.ifs[0])
                block = (If(condition, block, (), spot_of(node), test),)
            self.out.extend(block)
            return result

        result, body = self.captured(inside)
        if body:
            self.out.append(Loop("for", subject, target, (), body, (), spot_of(node)))
        return result

    def bind_pattern(self, target: ast.expr, value: Term) -> None:
        """Bind the names of an assignment target to the parts of a value (subclasses add attributes)."""
        if isinstance(target, ast.Name):
            self.env[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            for index, item in enumerate(target.elts):
                self.bind_pattern(item, self.terms.make("sub", value, self.terms.const(index)))
        elif isinstance(target, ast.Starred):
            self.bind_pattern(target.value, self.unknown(target))

    def yield_(self, node: ast.Yield | ast.YieldFrom) -> Term:
        value = self.expr(node.value) if node.value is not None else None
        self.out.append(Yield(value, spot_of(node)))
        return self.unknown(node)

    def await_(self, node: ast.Await) -> Term:
        return self.expr(node.value)

    def joined(self, node: ast.JoinedStr) -> Term:
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and not isinstance(part.value, ast.Name):
                self.expr(part.value)
        return self.unknown(node)


_HANDLERS: dict[type[ast.expr], Callable[[Any, Any], Term]] = {
    ast.Name: Expressions.name,
    ast.Constant: Expressions.constant,
    ast.Attribute: Expressions.attribute,
    ast.Call: Expressions.call,
    ast.UnaryOp: Expressions.unary,
    ast.BoolOp: Expressions.boolean,
    ast.Compare: Expressions.compare,
    ast.BinOp: Expressions.binary,
    ast.IfExp: Expressions.conditional,
    ast.NamedExpr: Expressions.named,
    ast.Tuple: Expressions.sequence,
    ast.List: Expressions.sequence,
    ast.Set: Expressions.sequence,
    ast.Dict: Expressions.mapping,
    ast.Subscript: Expressions.subscript,
    ast.Starred: Expressions.starred,
    ast.Lambda: Expressions.lambda_,
    ast.ListComp: Expressions.comprehension,
    ast.SetComp: Expressions.comprehension,
    ast.GeneratorExp: Expressions.comprehension,
    ast.DictComp: Expressions.comprehension,
    ast.Yield: Expressions.yield_,
    ast.YieldFrom: Expressions.yield_,
    ast.Await: Expressions.await_,
    ast.JoinedStr: Expressions.joined,
}
