"""Lowering of expressions: an ``ast`` expression becomes a term, and the calls in it are written down in running order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from trainlint.finding import Spot
from trainlint.ir.formats import parts_of_text
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Invert,
    Kwargs,
    List,
    Not,
    Or,
    Ref,
    Select,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import SILENT, Bind, Block, CallStep, Choice, Drawn, Function, If, Loop, Statement, Yield
from trainlint.ir.spots import spot_of
from trainlint.ir.terms import LINKS, Terms, is_long

_CONSTANTS = (bool, int, float, str, type(None))
_LONGEST_STRING = 200
#: Operands of one ``and`` or ``or`` that are looked at before a call in it.
_MOST_OPERANDS = 50
#: Methods that put items into a dictionary.
_CHANGES = ("update", "setdefault")
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, *_BITS)

Env = dict[Any, Term]


class Expressions:
    """Turns expressions into terms. The statements that run on the way are appended to ``self.out``.

    The class is the lower half of the lowering; :class:`trainlint.ir.lower.Lowering` adds scopes and statements.
    """

    terms: Terms
    env: Env
    kept: Env
    """What ``:=`` has bound in the comprehension that is being lowered."""
    has_places: bool
    """Whether something may be known of an attribute: most functions never set one."""
    function: Function
    variadic: Term | None
    """What ``*args`` of the function that is being lowered is bound to."""
    yields: bool
    """Whether the function being lowered has been seen to be a generator."""
    texts: dict[Term, tuple[Term, ...]]
    """What the f-strings are made of."""
    carried: dict[str, Term]
    """The names that a loop around this place carries from round to round, each with its ``LoopPhi``."""
    drawn: dict[Term, Drawn | None]
    """What this function's comprehensions go over (see :class:`~trainlint.ir.sketch.Function`)."""
    key: Term | None
    """The key of the dict comprehension whose item was lowered last."""
    out: list[Statement]
    statement: Spot

    def lookup(self, name: str) -> Term:
        """What a name is bound to at this point."""
        raise NotImplementedError

    def settled(self, term: Term) -> Term:
        """The constant that a name of the top level holds when functions run; other terms as they are."""
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

    def unknown(self, node: Any) -> Unknown:
        """One symbol for the value that this place computes."""
        return self.terms.make(Unknown, node.lineno, node.col_offset)

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

    def hold(self, name: str, value: Term, spot: Spot) -> None:
        """From here on a name holds a value."""
        self.env[name] = value
        self.bound(name, value, spot)

    def bound(self, name: str, value: Term | None, spot: Spot) -> None:
        """Write down what a name holds from here on; the names in the body of a class are its attributes."""
        if self.function.kind != "class":
            self.out.append(Bind(name, value, spot))

    def branches(self, node: If) -> None:
        """Put a branch behind what runs before it; one that runs nothing is a choice, and nothing if it asks nothing, either."""
        if _runs(node.body) or _runs(node.orelse):
            self.out.append(node)
            return
        choice = Choice(*node)
        if self.function.kind != "class" and (node.body or node.orelse or choice.asks):
            self.out.append(choice)

    # -- leaves ---------------------------------------------------------------------------------------------------

    def name(self, node: ast.Name) -> Term:
        """What the name is bound to here."""
        return self.lookup(node.id)

    def constant(self, node: ast.Constant) -> Term:
        """A constant; bytes, complex numbers, ``...`` and long texts are not worth keeping."""
        value = node.value
        if not isinstance(value, _CONSTANTS) or (isinstance(value, str) and len(value) > _LONGEST_STRING):
            return self.unknown(node)
        return self.terms.const(value)

    def attribute(self, node: ast.Attribute) -> Term:
        """``base.name``."""
        base = self.expr(node.value)
        if isinstance(base, LINKS) and is_long(base):
            base = self.unknown(node)
        return self.member(base, node.attr)

    def member(self, base: Term, name: str) -> Term:
        """``base.name``, as the name it is known by when the base is a module."""
        if isinstance(base, Ref):
            return self.terms.imported(f"{base.name}.{name}")
        place = self.terms.make(Attr, base, name)
        return self.env.get(place, place)

    # -- calls ----------------------------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> Term:
        """A call: callee, then arguments as they are written, then the call itself runs."""
        callee = self.expr(node.func)
        if isinstance(callee, Call) and is_long(callee):
            callee = self.unknown(node)
        args = tuple([self.argument(arg) for arg in node.args])
        kwargs = tuple([(kw.arg, self.argument(kw.value)) for kw in node.keywords])
        spot = spot_of(node)
        term = self.terms.make(Call, callee, args, kwargs, self.statement if spot == self.statement else spot)
        self.out.append(CallStep(term, self.statement))
        self.forget_attributes(callee, args)
        if isinstance(callee, Ref) and callee.name == "builtins.getattr" and not args[2:] and args[1:]:  # without a default
            name = self.settled(args[1])
            if isinstance(name, Const):
                return self.member(args[0], str(name.value))
        return term

    def argument(self, node: ast.expr) -> Term:
        """A part of a call, bounded, because calls are never dropped for their size."""
        term = self.expr(node)
        return self.terms.bounded(term, node.lineno, node.col_offset)

    def forget_attributes(self, callee: Term, args: Sequence[Term]) -> None:
        """A call may set attributes of its receiver and of its arguments: what was known of them is known no more."""
        if isinstance(callee, Attr) and callee.name in _CHANGES:
            self.changed(callee.base, None)
        if not self.has_places:
            return
        env = self.env
        places = [place for place in env if isinstance(place, Attr)]
        if not places:
            return
        touched = {callee.base} if isinstance(callee, Attr) else set()
        touched.update(args)
        for place in places:
            if place.base in touched:
                del env[place]

    def changed(self, container: Term, node: ast.expr | None) -> None:
        """Items were put into a container: what was passed as ``**kwargs`` is then no longer what it holds."""
        if not isinstance(container, Kwargs):
            return
        line, column = (node.lineno, node.col_offset) if node is not None else (self.statement.line, self.statement.column)
        for name in [name for name, term in self.env.items() if term is container]:
            self.env[name] = self.terms.make(Unknown, line, column)

    # -- operators ------------------------------------------------------------------------------------------------

    def unary(self, node: ast.UnaryOp) -> Term:
        """``not x``, ``~x`` and negative numbers; other operators give unknown values."""
        operand = self.expr(node.operand)
        if isinstance(node.op, ast.Not):
            return self.terms.bounded(self.terms.make(Not, operand), node.lineno, node.col_offset)
        if isinstance(node.op, ast.Invert):
            return self.terms.bounded(self.terms.make(Invert, operand), node.lineno, node.col_offset)
        if isinstance(node.op, ast.USub) and isinstance(operand, Const) and isinstance(operand.value, (int, float)):
            return self.terms.const(-operand.value)
        if isinstance(node.op, ast.USub):
            return self.terms.bounded(self.terms.make(BinOp, "Sub", self.terms.const(0), operand), node.lineno, node.col_offset)
        return self.unknown(node)

    def boolean(self, node: ast.BoolOp) -> Term:
        """``a and f()``: the call runs only when ``a`` is true, so it stands in a branch of its own."""
        kind = And if isinstance(node.op, ast.And) else Or
        first = self.expr(node.values[0])
        operands = [first]
        blocks: list[Block] = []
        for value in node.values[1:]:
            term, block = self.captured(lambda value=value: self.expr(value))  # type: ignore[misc]
            operands.append(term)
            blocks.append(block)
        spot = spot_of(node)
        for index, block in enumerate(blocks):
            if block:
                # It runs when all operands before it were true (`and`) or false (`or`).
                before = tuple(operands[: min(index + 1, _MOST_OPERANDS)])
                condition = before[0] if len(before) == 1 else self.terms.make(kind, before)
                self.branches(If(condition, block, (), spot, spot) if kind is And else If(condition, (), block, spot, spot))
        return self.terms.bounded(self.terms.make(kind, tuple(operands)), node.lineno, node.col_offset)

    def compare(self, node: ast.Compare) -> Term:
        """``a < b < c`` is ``a < b and b < c``."""
        left = self.expr(node.left)
        parts = []
        for operator, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.expr(comparator)
            parts.append(self.terms.make(Compare, type(operator).__name__, left, right))
            left = right
        if len(parts) == 1:
            return self.terms.bounded(parts[0], node.lineno, node.col_offset)
        return self.terms.bounded(self.terms.make(And, tuple(parts)), node.lineno, node.col_offset)

    def binary(self, node: ast.BinOp) -> Term:
        """Arithmetic on numbers, tensors and sets of bits; ``@``, the operator that is left, gives an unknown value.

        A chain ``a + b + c + …`` leans to the left; it is walked down without recursion, however long it is.
        """
        chain = [node]
        while isinstance(node.left, ast.BinOp):
            node = node.left
            chain.append(node)
        term = self.expr(node.left)
        for node in reversed(chain):
            right = self.expr(node.right)
            if isinstance(node.op, _ARITHMETIC):
                term = self.terms.make(BinOp, type(node.op).__name__, term, right)
                term = self.terms.bounded(term, node.lineno, node.col_offset)
            else:
                left, term = term, self.unknown(node)
                self.function.multiplies(term, left, right, spot_of(node))
        return term

    def conditional(self, node: ast.IfExp) -> Term:
        """``a if c else b``: the same term as the four-line form; calls in the sides stand in a branch."""
        condition = self.expr(node.test)
        then, body = self.captured(lambda: self.expr(node.body))
        other, orelse = self.captured(lambda: self.expr(node.orelse))
        self.branches(If(condition, body, orelse, spot_of(node), spot_of(node.test)))
        return self.terms.bounded(self.terms.make(Select, condition, then, other), node.lineno, node.col_offset)

    def named(self, node: ast.NamedExpr) -> Term:
        """``name := value`` binds in the function, also from inside a comprehension."""
        term = self.expr(node.value)
        self.kept[node.target.id] = term
        self.hold(node.target.id, term, spot_of(node))
        return term

    # -- containers -----------------------------------------------------------------------------------------------

    def sequence(self, node: ast.Tuple | ast.List | ast.Set) -> Term:
        """A tuple, list or set, item by item; an empty list has its place, because it is made to be filled."""
        kind = List if isinstance(node, ast.List) else Tuple if isinstance(node, ast.Tuple) else Set
        if not node.elts and kind is List:
            return self.terms.make(List, (), node.lineno, node.col_offset)
        items = tuple([self.expr(item) for item in node.elts])
        return self.terms.bounded(self.terms.make(kind, items), node.lineno, node.col_offset)

    def mapping(self, node: ast.Dict) -> Term:
        """A dict display, with its place: two of them are two things; ``**other`` is an unknown key."""
        pairs = []
        for key, value in zip(node.keys, node.values, strict=True):
            key_term = self.expr(key) if key is not None else self.unknown(value)
            pairs.append((key_term, self.expr(value)))
        line, column = node.lineno, node.col_offset
        return self.terms.bounded(self.terms.make(Dict, tuple(pairs), line, column), line, column)

    def subscript(self, node: ast.Subscript) -> Term:
        """``base[key]``."""
        base = self.expr(node.value)
        return self.item(node, base, self.expr(node.slice))

    def item(self, node: ast.Subscript, base: Term, key: Term) -> Term:
        """``base[key]``, read or written."""
        return self.terms.bounded(self.terms.make(Subscript, base, key), node.lineno, node.col_offset)

    def slice_(self, node: ast.Slice) -> Term:
        """``a:b:c``; unknown when none of its bounds says where it comes from."""
        bounds = [self.terms.const(None) if part is None else self.expr(part) for part in (node.lower, node.upper, node.step)]
        if all(isinstance(bound, (Const, Unknown)) for bound in bounds):
            return self.unknown(node)
        return self.terms.bounded(self.terms.make(Slice, *bounds), node.lineno, node.col_offset)

    def starred(self, node: ast.Starred) -> Term:
        """``*value`` stands for nobody knows how many items."""
        value = self.expr(node.value)
        items = self.unknown(node)
        if value is self.variadic:
            self.function.spread = (*self.function.spread, items)
        else:
            self.function.unpacked[items] = value
        return items

    # -- things with a body of their own ---------------------------------------------------------------------------

    def lambda_(self, node: ast.Lambda) -> Term:
        """A lambda is lowered like a nested function, later."""
        return self.nested_function(node)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Term:
        """A comprehension is loops with a scope of their own; its value is unknown."""
        saved, outer_kept = dict(self.env), self.kept
        self.kept = {}
        _, block = self.captured(lambda: self._generators(node, 0))
        if self.kept:
            saved.update(self.kept)
            outer_kept.update(self.kept)
        self.env, self.kept = saved, outer_kept
        self.out.extend(block)
        return self.unknown(node)

    def _generators(self, node: Any, index: int) -> Term:
        if index == len(node.generators):
            self.key = self.expr(node.key) if isinstance(node, ast.DictComp) else None
            return self.expr(node.value if isinstance(node, ast.DictComp) else node.elt)
        generator = node.generators[index]
        subject = self.expr(generator.iter)
        target = self.terms.make(Element, subject, generator.target.lineno, generator.target.col_offset)
        self.bind_pattern(generator.target, target)

        def inside() -> Term:
            tests = [self.expr(test) for test in generator.ifs]
            result, block = self.captured(lambda: self._generators(node, index + 1))
            drawn = Drawn(subject, target, tuple(tests), result, self.key, isinstance(node, ast.SetComp))
            self.drawn[self.unknown(node)] = drawn if len(node.generators) == 1 else None
            if block and tests:
                condition = tests[0] if len(tests) == 1 else self.terms.make(And, tuple(tests))
                test = spot_of(generator.ifs[0])
                self.branches(If(condition, block, (), spot_of(node), test))
            else:
                self.out.extend(block)
            return result

        result, body = self.captured(inside)
        self.out += [Loop("for", subject, target, (), body, (), spot_of(node))] if _runs(body) else body
        return result

    def bind_pattern(self, target: ast.expr, value: Term) -> None:
        """Bind what a loop, ``with`` or comprehension names to the parts of a value; attributes become unknown."""
        if isinstance(target, ast.Name):
            self.env[target.id] = self.terms.bounded(value, target.lineno, target.col_offset)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for item, part in zip(target.elts, self.parts(target, value), strict=True):
                self.bind_pattern(item, part)
        elif isinstance(target, ast.Starred):
            self.bind_pattern(target.value, self.unknown(target))
        elif isinstance(target, ast.Attribute):
            self.env.pop(self.terms.make(Attr, self.expr(target.value), target.attr), None)

    def parts(self, target: ast.Tuple | ast.List, value: Term) -> list[Term]:
        """What each item of an unpacking target is given; what stands behind a ``*name`` is counted from the end."""
        count = len(target.elts)
        if isinstance(value, Tuple) and len(value.items) == count:
            return list(value.items)  # a list may hold something else by now
        starred = [index for index, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
        first = starred[0] if starred else count
        indices = [index if index <= first else index - count for index in range(count)]
        value = self.terms.bounded(value, target.lineno, target.col_offset)
        return [self.terms.make(Subscript, value, self.terms.const(index)) for index in indices]

    def yield_(self, node: ast.Yield | ast.YieldFrom) -> Term:
        """``yield``: a place where the caller runs; what comes back is unknown."""
        value = self.expr(node.value) if node.value is not None else None
        self.yields = True
        self.out.append(Yield(value, spot_of(node), isinstance(node, ast.YieldFrom)))
        return self.unknown(node)

    def await_(self, node: ast.Await) -> Term:
        """``await x`` is ``x``: analyses do not ask when."""
        return self.expr(node.value)

    def joined(self, node: ast.JoinedStr) -> Term:
        """An f-string: what is called in it runs, its text is unknown; what it is made of is written down beside it."""
        term = self.unknown(node)
        self.terms.write_down(self.texts, term, parts_of_text(node, self.terms, self.expr))
        return term


def _runs(block: Block) -> bool:
    return any(type(node) not in SILENT for node in block)


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
    ast.Slice: Expressions.slice_,
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
