"""Lowering of expressions and scopes.

An ``ast`` expression becomes a term, and the calls in it are written down in running order. Lambdas are functions, so
what a name means, and how functions and classes open scopes of their own, is here, too.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from trainlint.finding import Spot
from trainlint.ir.assigned_names import declared_nonlocal
from trainlint.ir.attributes import BY_NAME, attribute_under, is_member, set_by
from trainlint.ir.containers import Contents, Items
from trainlint.ir.formats import parts_of_text
from trainlint.ir.iteration import Iteration
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Collected,
    Compare,
    Comprehension,
    Const,
    Dict,
    Display,
    Element,
    Format,
    Global,
    Invert,
    Kwargs,
    List,
    LoopPhi,
    MatMul,
    Nested,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Slice,
    Star,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import (
    Bind,
    Block,
    CallStep,
    Choice,
    Class,
    Exit,
    Function,
    If,
    Imported,
    Loop,
    Module,
    Phi,
    Statement,
    Store,
    Yield,
    runs,
    spot_of,
    step,
)
from trainlint.ir.terms import LEAVES, LINKS, LONGEST, Terms, applied, is_long, is_none

#: The constants that are kept, by type: bytes, complex numbers and ``...`` are not.
_CONSTANTS: dict[type, str] = {kind: kind.__name__ for kind in (bool, int, float, str, type(None))}
_LONGEST_STRING = 200
#: Functions that read an attribute.
_READS = ("builtins.getattr", "builtins.hasattr")
#: Methods that put items into a dictionary.
_CHANGES = ("update", "setdefault")
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_ARITHMETIC = frozenset((ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, *_BITS))

#: What each comprehension makes.
_KINDS = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict", ast.GeneratorExp: "generator"}

Env = dict[Any, Term]
_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_Result = TypeVar("_Result")
#: No module is known to have members of one kind only.
NO_MEMBERS: Mapping[str, str] = {}
_EVERYTHING = Spot(1, 0, 1, 0)
_BUILTINS = {name: f"builtins.{name}" for name in dir(builtins)}

# What a function had bound when a function in it was defined, and what it binds in the end (filled by then).
_Scope = tuple[Env, Env]


class Expressions:
    """Follows names, turns expressions into terms, and lowers definitions of functions and classes.

    The statements that run on the way are appended to ``self.out``. Class bodies are lowered where they stand, functions
    later: those of the top level see the finished file, nested ones what their enclosing functions bind (see
    :meth:`_closed`). ``exits`` are the dotted names of calls that end the process, ``members`` what stands for any member of a
    module whose members are all of one kind.
    """

    def __init__(
        self, path: str, exits: Collection[str], members: Mapping[str, str] = NO_MEMBERS, *, package: bool = False
    ) -> None:
        self.module = Module(path, package)
        self.terms = Terms()
        self.contents = Contents(self.terms)
        self.exits = exits
        self.members = members
        self.env: Env = {}
        self.out: list[Statement] = []
        self.statement = _EVERYTHING
        self.function = Function("<module>", kind="module")
        self.cls: Class | None = None
        # What functions around this one bind, innermost first: for names, and as it is handed to functions in here.
        self.outer_envs: tuple[Env, ...] = ()
        self.enclosing: tuple[_Scope, ...] = ()
        # What the top level had bound when the class began whose body this is.
        self.around_class: Env = {}
        # Filled when this function has been lowered: what its names hold at its end.
        self.final: Env = {}
        # Names of this function that functions in it rebind.
        self.shared: set[str] = set()
        # What ``:=`` has bound in the comprehension that is being lowered.
        self.kept: Env = {}
        # Whether the function being lowered has been seen to be a generator.
        self.yields = False
        # Whether something may be known of an attribute: most functions never set one.
        self.has_places = False
        # For what names hold after loops (``LoopPhi``): what they held at the end of a round.
        self.left: Env = {}
        self.ends: list[Env] = []  # what names hold where the loop around this place is left
        # The names that a loop around this place carries from round to round, each with its ``LoopPhi``; None: nothing before it.
        self.carried: dict[str, Term | None] = {}
        self.complete = False
        # What the containers of the top level hold when it has run, with what its names do.
        self.at_top: tuple[Contents, Env] = (self.contents, self.env)
        self.globals: set[str] = set()
        # Names of functions around this one that it rebinds.
        self.nonlocals: Env = {}
        self.rebound: set[str] = set()
        self.waiting: list[tuple[Function, Any, tuple[_Scope, ...]]] = []
        # The functions of the top level that are what is written down: none is decorated, or defined twice.
        self.plain: dict[str, ast.FunctionDef] = {}
        self.imported: list[str] = []
        self.taken: list[Imported] = []
        # The branches and attempts around this place, in this function and around its definition.
        self.tests: tuple[Term | str, ...] = ()

    def block_of(self, statements: Sequence[ast.stmt]) -> tuple[Block, bool]:
        """Lower statements; says whether control can run past their end."""
        raise NotImplementedError

    def lookup(self, name: str) -> Term:
        """What a name is bound to at this point: here, in the functions around, at the top level, or built in."""
        term = self.env.get(name)
        if term is not None:
            return term
        for env in self.outer_envs:
            term = env.get(name)
            if term is not None:
                return term
        if name in self.around_class:
            return self.around_class[name]
        term = self.module.names.get(name)
        if term is not None:
            return term if isinstance(term, Ref) and name not in self.rebound else self.terms.make(Global, name)
        out_of_sight = name not in _BUILTINS and (not self.complete or self.module.stars)
        if name in self.globals or name in self.module.rebound or out_of_sight:
            return self.terms.make(Global, name)
        return self.terms.imported(_BUILTINS.get(name) or f"builtins.{name}")

    def settled(self, term: Term) -> Term:
        """The constant that a name of the top level holds when functions run; other terms as they are."""
        if isinstance(term, Global) and self.complete and term.name not in self.rebound:
            held = self.module.names.get(term.name, term)
            return held if isinstance(held, Const) else term
        return term

    # -- expressions ----------------------------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> Term:
        """The term of an expression; calls in it are emitted."""
        kind = type(node)
        if kind is ast.Name:  # nearly half of all
            term = self.env.get(node.id)  # type: ignore[attr-defined]  # it is a name
            return self.lookup(node.id) if term is None else term  # type: ignore[attr-defined]
        handler = _HANDLERS.get(kind)
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

    def captured(self, run: Callable[[], _Result]) -> tuple[_Result, Block]:
        """Run a part of the lowering and take the statements it emitted instead of appending them."""
        saved, self.out = self.out, []
        try:
            return run(), tuple(self.out)
        finally:
            self.out = saved

    def apart(self, node: ast.expr) -> tuple[Term, Block]:
        """The term of an expression that may not run, and the statements that it emits."""
        saved, self.out = self.out, []
        term = self.expr(node)
        block, self.out = tuple(self.out), saved
        return term, block

    def hold(self, name: str, value: Term, spot: Spot, *, kind: str = "") -> None:
        """From here on a name holds a value."""
        self.env[name] = value
        if self.function.kind != "class":
            self.out.append(step(Bind, (name, value, spot, kind)))

    def bound(self, name: str, value: Term | None, spot: Spot, *, kind: str = "") -> None:
        """Write down what a name holds from here on; the names in the body of a class are its attributes."""
        if self.function.kind != "class":
            self.out.append(step(Bind, (name, value, spot, kind)))

    def branches(self, node: If) -> None:
        """Put a branch behind what runs before it; one that runs nothing is a choice, and nothing if it asks nothing, either."""
        if runs(node.body) or runs(node.orelse):
            self.out.append(node)
            return
        choice: Choice = step(Choice, node)
        if self.function.kind != "class" and (node.body or node.orelse or choice.asks):
            self.out.append(choice)

    # -- leaves ---------------------------------------------------------------------------------------------------

    def constant(self, node: ast.Constant) -> Term:
        """A constant; long texts are not worth keeping."""
        value = node.value
        kind = _CONSTANTS.get(type(value))
        if kind is None or (kind == "str" and len(value) > _LONGEST_STRING):  # type: ignore[arg-type]  # it is a text
            return self.unknown(node)
        return self.terms.make(Const, kind, value)

    def attribute(self, node: ast.Attribute) -> Term:
        """``base.name``."""
        base = self.expr(node.value)
        if type(base) in LINKS and is_long(base):
            base = self.unknown(node)
        return self.member(base, node.attr) if self.has_places or type(base) is Ref else self.terms.make(Attr, base, node.attr)

    def member(self, base: Term, name: str) -> Term:
        """``base.name``, as the name it is known by when the base is a module."""
        if type(base) is Ref:
            return self.terms.imported(f"{base.name}.{name}")
        place = self.terms.make(Attr, base, name)
        return self.env.get(place, place) if self.has_places else place

    # -- calls ----------------------------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> Term:
        """A call: callee, then arguments as they are written, then the call itself runs."""
        callee = self.expr(node.func)
        if type(callee) is Call and is_long(callee):
            callee = self.unknown(node)
        # All is bounded here, because calls are never dropped for their size.
        args = tuple([self.bounded(self.expr(arg), arg) for arg in node.args]) if node.args else ()
        kwargs = tuple([(kw.arg, self.bounded(self.expr(kw.value), kw.value)) for kw in node.keywords]) if node.keywords else ()
        if type(callee) is Call:
            callee, args, kwargs = applied(callee, args, kwargs)
        spot, statement = spot_of(node), self.statement
        term = self.terms.make(Call, callee, args, kwargs, statement if spot == statement else spot)
        if type(callee) in (Ref, Attr) and callee.name.endswith(BY_NAME) and self.sets_by_name(term, node):  # type: ignore[attr-defined]
            return self.terms.const(None)
        self.out.append(step(CallStep, (term, statement)))
        if self.has_places or (type(callee) is Attr and callee.name in _CHANGES):
            self.forget_attributes(callee, args)
        if (self.contents.tracked or type(callee) is Ref) and (held := self.contents.call(self.env, term)) is not None:
            return held
        if type(callee) is Ref and callee.name == "builtins.getattr" and args[1:]:
            return self._by_name(args[0], args[1], args[2:]) or term
        return term

    def _by_name(self, base: Term, key: Term, otherwise: tuple[Term, ...] = ()) -> Term | None:
        """``getattr(base, key)``; of a module whose members are all of one kind any of them, if nobody knows which is meant."""
        name = self.settled(key)
        if isinstance(name, Const):
            return None if otherwise else self.member(base, str(name.value))
        meant = self.members.get(base.name) if isinstance(base, Ref) else None
        fits = all(is_none(term) or is_member(term, base) for term in otherwise)
        return self.terms.imported(meant) if fits and meant is not None else None

    def sets_by_name(self, call: Call, node: ast.Call) -> bool:
        """``setattr(obj, "name", value)`` is ``obj.name = value``, and ``delattr(obj, "name")`` is ``del obj.name``."""
        owner = next(iter(self.function.incoming), None)
        named = set_by(call, owner, self.settled)
        for base, name, value in named:
            place = self.terms.make(Attr, base, name)
            if value is not None:
                self.store(place, value, spot_of(node), "Call")
            else:
                self.env.pop(place, None)
        return bool(named)

    def store(self, place: Attr, value: Term, spot: Spot, kind: str) -> None:
        """An attribute is bound to a value by a statement, or a call, of this kind."""
        if not isinstance(place.base, Ref):
            self.env[place] = value
            self.has_places = True
            self.contents.named(value)
        self.out.append(step(Store, (place, value, spot, kind)))

    def bounded(self, term: Term, node: Any) -> Term:
        """A term itself, or an unknown value of this place when it has grown too large."""
        if type(term) in LEAVES or self.terms.fits(term):
            return term
        return self.unknown(node)

    def forget_attributes(self, callee: Term, args: Sequence[Term]) -> None:
        """A call may set attributes of its receiver and of its arguments: what was known of them is known no more."""
        if type(callee) is Attr and callee.name in _CHANGES:
            self.changed(callee.base, None)
        if not self.has_places or (isinstance(callee, Ref) and callee.name in _READS):
            return
        env = self.env
        places = [place for place in env if isinstance(place, Attr)]
        if not places:
            return
        touched = {callee.base} if isinstance(callee, Attr) else set()
        touched.update(args)
        for place in places:
            if place.base in touched:
                self.contents.spoil(env, env.pop(place))

    def changed(self, container: Term, node: ast.expr | None) -> None:
        """Items were put into a container: what was passed as ``**kwargs`` is from then on what a dict began with."""
        if type(container) is not Kwargs:
            return
        line, column = (node.lineno, node.col_offset) if node is not None else (self.statement.line, self.statement.column)
        begun: Term = self.terms.make(Dict, ((self.terms.make(Star, line, column, container), container),), line, column)
        new = self.unknown(node) if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Del) else begun
        self.env.update(dict.fromkeys([name for name, term in self.env.items() if term is container], new))

    # -- operators ------------------------------------------------------------------------------------------------

    def unary(self, node: ast.UnaryOp) -> Term:
        """``not x``, ``~x`` and negative numbers; other operators give unknown values."""
        operand, kind = self.expr(node.operand), type(node.op)
        if kind is ast.Not:
            return self.bounded(self.terms.make(Not, operand), node)
        if kind is ast.Invert:
            return self.bounded(self.terms.make(Invert, operand), node)
        if kind is ast.USub and isinstance(operand, Const) and isinstance(operand.value, (int, float)):
            return self.terms.const(-operand.value)
        if kind is ast.USub:
            return self.bounded(self.terms.make(BinOp, "Sub", self.terms.const(0), operand), node)
        return self.unknown(node)

    def boolean(self, node: ast.BoolOp) -> Term:
        """``a and f()``: the call runs only when ``a`` is true, so it stands in a branch of its own."""
        kind = And if isinstance(node.op, ast.And) else Or
        first = self.expr(node.values[0])
        operands = [first]
        blocks: list[Block] = []
        for value in node.values[1:]:
            term, block = self.apart(value)
            operands.append(term)
            blocks.append(block)
        for index, block in enumerate(blocks):
            if block:
                spot = spot_of(node)
                # It runs when all operands before it were true (`and`) or false (`or`).
                before = tuple(operands[: min(index + 1, LONGEST)])
                condition = before[0] if len(before) == 1 else self.terms.make(kind, before)
                self.branches(If(condition, block, (), spot, spot) if kind is And else If(condition, (), block, spot, spot))
        return self.bounded(self.terms.make(kind, tuple(operands)), node)

    def compare(self, node: ast.Compare) -> Term:
        """``a < b < c`` is ``a < b and b < c``."""
        left, parts = self.expr(node.left), list[Term]()
        for operator, comparator in zip(node.ops, node.comparators, strict=True):
            right, kind = self.expr(comparator), type(operator).__name__
            parts.append(self.contents.membership(self.env, kind, left, right) or self.terms.make(Compare, kind, left, right))
            left = right
        return self.bounded(self.terms.make(And, tuple(parts)) if parts[1:] else parts[0], node)

    def binary(self, node: ast.BinOp) -> Term:
        """Arithmetic on numbers, tensors and sets of bits; ``@`` gives a value that is not worked out.

        A chain ``a + b + c + …`` leans to the left; it is walked down without recursion, however long it is.
        """
        chain = [node]
        while isinstance(node.left, ast.BinOp):
            node = node.left
            chain.append(node)
        term = self.expr(node.left)
        for node in reversed(chain):
            right = self.expr(node.right)
            if type(node.op) is ast.Add and (items := self.contents.concatenated(self.env, term, right, node)) is not None:
                term = self.bounded(items, node)
            elif type(node.op) in _ARITHMETIC:
                term = self.bounded(self.terms.make(BinOp, type(node.op).__name__, term, right), node)
            else:
                term = self.product(term, right, spot_of(node))
        return term

    def product(self, left: Term, right: Term, spot: Spot) -> Term:
        """``left @ right``; the products of a chain begin at one place, and are one."""
        chained = isinstance(left, MatMul) and left.site[:2] == spot[:2]
        before = left.factors if isinstance(left, MatMul) and chained else (left,)
        product = self.terms.make(MatMul, spot.line, spot.column, (*before, right), spot)
        return self.terms.bounded(product, spot.line, spot.column)

    def conditional(self, node: ast.IfExp) -> Term:
        """``a if c else b``: the same term as the four-line form; calls in the sides stand in a branch."""
        condition = self.expr(node.test)
        then, body = self.apart(node.body)
        other, orelse = self.apart(node.orelse)
        self.branches(If(condition, body, orelse, spot_of(node), spot_of(node.test)))
        return self.bounded(self.terms.make(Select, condition, then, other), node)

    def named(self, node: ast.NamedExpr) -> Term:
        """``name := value`` binds in the function, also from inside a comprehension."""
        term = self.expr(node.value)
        self.kept[node.target.id] = term
        self.contents.named(term, node.target.id)
        self.hold(node.target.id, term, spot_of(node))
        return term

    # -- containers -----------------------------------------------------------------------------------------------

    def sequence(self, node: ast.Tuple | ast.List | ast.Set) -> Term:
        """A tuple, list or set, item by item; a list has its place, because it may be filled."""
        kind = List if isinstance(node, ast.List) else Tuple if isinstance(node, ast.Tuple) else Set
        items = tuple([self.expr(item) for item in node.elts])
        place = (node.lineno, node.col_offset) if kind is List else ()
        return self._displayed(self.terms.make(kind, items, *place), node)

    def mapping(self, node: ast.Dict) -> Term:
        """A dict display, with its place: two of them are two things; the key of ``**other`` is a ``Star`` of that."""
        pairs = []
        others = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                pairs.append((self.expr(key), self.expr(value)))
            else:
                other = self.expr(value)
                others.append(self.terms.make(Star, value.lineno, value.col_offset, other))
                pairs.append((others[-1], other))
        made = self.terms.make(Dict, tuple(pairs), node.lineno, node.col_offset)
        bounded = self._displayed(made, node)
        if others and bounded is made:
            self.contents.spread(self.env, made, others)
        return bounded

    def _displayed(self, made: Term, node: ast.expr) -> Term:
        """A container that is written down: a new one, whatever that of an earlier round holds."""
        if made in self.contents.tracked:
            self.env.pop(Items(made), None)
        return self.bounded(made, node)

    def subscript(self, node: ast.Subscript) -> Term:
        """``base[key]``."""
        base, key = self.expr(node.value), self.expr(node.slice)
        if (part := self.contents.sliced(self.env, base, node.slice)) is not None:
            return self.terms.make(List, part, node.lineno, node.col_offset)
        if isinstance(base, Global):
            held = self._chosen(base, key) if self.complete else None
        elif isinstance(base, Ref) and base.name.endswith(".__dict__"):  # as `getattr(module, key)`
            module = self.terms.imported(base.name.rpartition(".")[0])
            call = self.terms.make(Call, self.terms.imported(_READS[0]), (module, key), (), spot_of(node))
            self.out.append(step(CallStep, (call, self.statement)))
            held = self._by_name(module, key)
        else:
            if isinstance(base, (Attr, Call)) and isinstance(key, Const):
                named = attribute_under(base, key)
                if named is not None:
                    return self.member(*named)
            held = self.contents.read(self.env, base, key) if isinstance(base, Display) or base in self.contents.tracked else None
        return self.item(node, base, key) if held is None else held

    def _chosen(self, table: Global, key: Term) -> Term | None:
        """What a table of the top level that nobody changes has under a key (``KINDS["SGD"]``), if that has a name of its own."""
        container = self.module.names.get(table.name)
        if not isinstance(container, Display) or not isinstance(key, Const):
            return None
        contents, env = self.at_top
        held = contents.read(env, container, key)
        defined = isinstance(held, Global) and (held.name in self.module.classes or held.name in self.module.functions)
        return held if defined or isinstance(held, Ref) else None

    def item(self, node: ast.Subscript, base: Term, key: Term) -> Term:
        """``base[key]``, read or written."""
        return self.bounded(self.terms.make(Subscript, base, key), node)

    def slice_(self, node: ast.Slice) -> Term:
        """``a:b:c``; unknown when none of its bounds says where it comes from."""
        bounds = [self.terms.const(None) if part is None else self.expr(part) for part in (node.lower, node.upper, node.step)]
        if all(isinstance(bound, (Const, Unknown)) for bound in bounds):
            return self.unknown(node)
        return self.bounded(self.terms.make(Slice, *bounds), node)

    def starred(self, node: ast.Starred) -> Term:
        """``*value`` stands for nobody knows how many items."""
        line, column = node.lineno, node.col_offset
        items = self.terms.make(Star, line, column, self.expr(node.value))
        return items if self.terms.fits(items) else self.terms.make(Star, line, column, self.unknown(node))

    # -- things with a body of their own ---------------------------------------------------------------------------

    def comprehension(self, node: _Comprehension) -> Term:
        """A comprehension is loops with a scope of their own."""
        self.contents.spoil_touched(self.env, node)
        saved, outer_kept = dict(self.env), self.kept
        self.kept = {}
        made, block = self.captured(lambda: self._generators(node, 0))
        if self.kept:
            saved.update(self.kept)
            outer_kept.update(self.kept)
        self.env, self.kept = saved, outer_kept
        self.out.extend(block)
        return made

    def _generators(self, node: _Comprehension, index: int) -> Term:
        """What the generators from this one on make."""
        generator, start = node.generators[index], len(self.out)
        subject = self.expr(generator.iter)
        display = None if generator.ifs or len(node.generators) > 1 else self._of_one(node, subject, start)
        if display is not None:
            return display
        target = self.terms.make(Element, subject, generator.target.lineno, generator.target.col_offset)
        self.bind_pattern(generator.target, target)
        several = len(node.generators) > 1
        line, column, kind = node.lineno, node.col_offset, _KINDS[type(node)]

        def inside() -> Term:
            tests = tuple([self.expr(test) for test in generator.ifs])
            last = index + 1 == len(node.generators)
            (key, item), block = self.captured(lambda: self._item(node) if last else (None, self._generators(node, index + 1)))
            if block and tests:
                condition = tests[0] if len(tests) == 1 else self.terms.make(And, tests)
                test = spot_of(generator.ifs[0])
                self.branches(If(condition, block, (), spot_of(node), test))
            else:
                self.out.extend(block)
            if not several:
                made = self.terms.make(Comprehension, line, column, kind, subject, target, tests, item, key)
                if self.terms.fits(made):
                    return made
            return self.terms.make(Collected, line, column, kind)

        made, body = self.captured(inside)
        self.out += [Loop("for", subject, target, (), body, (), spot_of(node))] if runs(body) else body
        return made

    def _of_one(self, node: _Comprehension, subject: Term, start: int) -> Term | None:
        """The display that a comprehension over exactly one known item is: ``[f(v)]``; None for every other one."""
        drawn = None if isinstance(node, ast.GeneratorExp) else self.iteration(start).drawn(subject)
        if drawn is None or len(drawn) != 1:
            return None
        self.bind_pattern(node.generators[0].target, drawn[0])
        key, item = self._item(node)
        line, column = node.lineno, node.col_offset
        if key is not None:
            return self._displayed(self.terms.make(Dict, ((key, item),), line, column), node)
        if isinstance(node, ast.SetComp):
            return self._displayed(self.terms.make(Set, (item,)), node)
        return self._displayed(self.terms.make(List, (item,), line, column), node)

    def iteration(self, start: int) -> Iteration:
        """What an iteration over something hands out that the steps of this block from a number on made."""
        return Iteration(self.terms, self.contents, self.env, tuple(self.out[start:]))

    def _item(self, node: _Comprehension) -> tuple[Term | None, Term]:
        """The key of a dict's item, and the item."""
        if isinstance(node, ast.DictComp):
            return self.expr(node.key), self.expr(node.value)
        return None, self.expr(node.elt)

    def bind_pattern(self, target: ast.expr, value: Term) -> None:
        """Bind what a loop, ``with`` or comprehension names to the parts of a value; attributes become unknown."""
        if isinstance(target, ast.Name):
            self.env[target.id] = value = self.bounded(value, target)
            self.contents.named(value, target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for item, part in zip(target.elts, self.parts(target, value), strict=True):
                self.bind_pattern(item, part)
        elif isinstance(target, ast.Starred):
            self.bind_pattern(target.value, value)
        elif isinstance(target, ast.Attribute):
            self.env.pop(self.terms.make(Attr, self.expr(target.value), target.attr), None)

    def parts(self, target: ast.Tuple | ast.List, value: Term) -> list[Term]:
        """What each item of an unpacking target is given; what stands behind a ``*name`` is counted from the end."""
        count = len(target.elts)
        starred = [index for index, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
        if isinstance(value, Tuple) and len(value.items) == count and not starred:
            return list(value.items)  # a list may hold something else by now
        first = next(iter(starred), count)
        indices = [index if index <= first else index - count for index in range(count)]
        value = self.bounded(value, target)
        keys = [self.terms.const(index) for index in indices]
        found = [self.contents.read(self.env, value, key) or self.terms.make(Subscript, value, key) for key in keys]
        for index in starred:
            rest = self.contents.between(self.env, value, index, count - index - 1)
            at = target.elts[index]
            found[index] = self.unknown(at) if rest is None else self.terms.make(List, rest, at.lineno, at.col_offset)
        return found

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
        """An f-string: what is called in it runs, and it is made of its pieces."""
        return self.terms.composite(Format, node.lineno, node.col_offset, parts_of_text(node, self.terms, self.expr))

    # -- functions and classes ------------------------------------------------------------------------------------

    def lower_function(self, function: Function, node: Any, enclosing: tuple[_Scope, ...]) -> None:
        """Lower the body of a function that was met before, in the scopes that enclosed it there."""
        self.function = function
        self.tests = function.tests
        self.enclosing = enclosing
        self.outer_envs = tuple([self._closed(scope, function) for scope in enclosing])
        self.final = {}
        self.yields = self.has_places = False
        self.contents.begin(self.outer_envs)
        self.left = {}
        self.carried = {}
        self.shared = set()
        self.globals = set()
        self.nonlocals = {}
        self.env = {}
        for index, name in enumerate(function.parameters):
            is_self = (index == 0 and function.kind in ("method", "property", "classmethod")) or (
                name == "self" and function.cls is not None  # a static method that is handed its object
            )
            self.env[name] = self.terms.make(Self, function.cls) if is_self else self.terms.make(Param, function.qualname, name)
        function.incoming = tuple([self.env[name] for name in function.parameters])
        arguments = node.args
        if arguments.vararg is not None:
            function.variadic = self.env[arguments.vararg.arg] = self.unknown(arguments.vararg)
        if arguments.kwarg is not None:
            self.env[arguments.kwarg.arg] = self.terms.make(Kwargs, function.qualname)
        if isinstance(node, ast.Lambda):
            self.statement = spot_of(node.body)
            value, block = self.apart(node.body)
            function.body = (*block, Exit("return", value, self.statement))
        else:
            function.body, _ = self.block_of(node.body)
        function.generator = self.yields
        self.final.update(self.env)
        self.final.update(self.left)

    def _closed(self, scope: _Scope, function: Function) -> Env:
        """What a nested function finds in a scope around it, whenever it is called.

        A name that is bound later is what it is in the end; one that is bound again later is unsettled, but not one that each
        round of a loop binds before the function is defined in it. A lambda is taken to be called where it stands.
        """
        then, final = scope
        closed = {**final, **then}
        if function.kind != "lambda":
            spot = function.spot
            for name, term in then.items():
                held = final.get(name, term) if isinstance(name, str) else term
                while held is not term and held in final:
                    held = final[held]
                if held is not term:
                    closed[name] = self.terms.make(LoopPhi, name, spot.line, spot.column, "head")
        return closed

    def unsettled(self, name: str, node: ast.stmt) -> LoopPhi:
        """The value of a name that several functions bind."""
        return self.terms.make(LoopPhi, name, node.lineno, node.col_offset, "head")

    def bound_in(self, target: ast.expr) -> Block:
        """The steps that bind what a loop or ``with`` names, once :meth:`bind_pattern` has run."""
        if self.function.kind == "class":
            return ()
        names = (node for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        return tuple([step(Bind, (each.id, self.env[each.id], spot_of(each), "")) for each in names])

    def declare_function(self, node: Any, name: str, kind: str, spot: Spot) -> Function:
        """Register a function and put its body on the waiting list."""
        cls = self.cls if self.function.kind == "class" else None
        prefix = cls.qualname + "." if cls is not None else "" if self.function.kind == "module" else self.function.qualname + "."
        qualname = prefix + name
        while qualname in self.module.functions:
            qualname += "'"
        arguments = node.args
        given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        names = [argument.arg for argument in given]
        count = len(given) - len(arguments.kwonlyargs)
        function = Function(qualname, tuple(names), count, spot=spot, kind=kind, tests=self.tests)
        defaults = (*arguments.defaults, *arguments.kw_defaults)
        for parameter, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
            if default is not None:
                function.defaults[parameter] = self.expr(default)
        for argument in given:
            if argument.annotation is not None:
                function.annotations[argument.arg] = self.annotation(argument.annotation)
        returned = getattr(node, "returns", None)
        if isinstance(returned, ast.expr) and not isinstance(returned, ast.Constant):
            function.annotations["return"] = self.annotation(returned)
        if cls is not None:
            function.cls = cls.qualname
        elif self.function.kind != "module":
            function.outer = self.function.qualname
        self.module.functions[qualname] = function
        enclosing = self.enclosing
        if self.function.kind not in ("module", "class"):
            enclosing = ((dict(self.env), self.final), *enclosing)
        self.contents.enclosed(node.body if isinstance(node.body, list) else [node.body])
        if enclosing and kind != "lambda":
            self._share(node)
        self.waiting.append((function, node, enclosing))
        return function

    def _share(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """From here on, what a nested function declares ``nonlocal`` holds nobody knows what."""
        for part in declared_nonlocal(node.body):
            self.shared.update(part.names)
            for name in part.names:
                for env in (self.env, *self.outer_envs):
                    if name in env:
                        held = self.unsettled(name, part)
                        if env is self.env:
                            self.function.phis[held] = Phi(env[name], None)
                            self.bound(name, held, self.statement)
                        env[name] = held

    def annotation(self, node: ast.expr) -> Term:
        """The type an annotation names; ``Optional[X]`` and ``X | None`` are X, a string is read as a name."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            return self.lookup(node.value)
        if isinstance(node, ast.Subscript) and isinstance(node.value, (ast.Name, ast.Attribute)):
            name = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            return self.annotation(node.slice) if name == "Optional" else self.unknown(node)
        if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and node.right.value is None:
            return self.annotation(node.left)
        return self.expr(node) if isinstance(node, (ast.Name, ast.Attribute)) else self.unknown(node)

    def lambda_(self, node: ast.Lambda) -> Term:
        """A lambda is a function named for its place, and lowered later."""
        function = self.declare_function(node, f"<lambda {node.lineno}:{node.col_offset}>", "lambda", spot_of(node))
        return self.terms.make(Nested, function.qualname)


_HANDLERS: dict[type[ast.expr], Callable[[Any, Any], Term]] = {
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
