"""Scopes: what a name means here, and how functions and classes open scopes of their own."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from typing import Any

from trainlint.finding import Spot
from trainlint.ir.assigned import declared_nonlocal
from trainlint.ir.expressions import Env, Expressions
from trainlint.ir.nodes import (
    Attr,
    Const,
    Global,
    Kwargs,
    LoopPhi,
    Nested,
    NestedClass,
    Param,
    Ref,
    Self,
    Term,
)
from trainlint.ir.sketch import Bind, Block, Class, Exit, Function, Imported, Module, Statement
from trainlint.ir.spots import spot_of
from trainlint.ir.terms import Terms

_EVERYTHING = Spot(1, 0, 1, 0)
_BUILTINS = frozenset(dir(builtins))

# What a function had bound when a function in it was defined, and what it binds in the end (filled by then).
_Scope = tuple[Env, Env]


class Scopes(Expressions):
    """Follows names, and lowers definitions of functions and classes.

    Class bodies are lowered where they stand, functions later: those of the top level see the finished file, nested
    ones what their enclosing functions bind (see :func:`_closed`). ``exits`` are the dotted names of calls that end
    the process.
    """

    def __init__(self, path: str, exits: Collection[str], *, package: bool = False) -> None:
        self.module = Module(path, package)
        self.texts = self.module.texts
        self.terms = Terms()
        self.exits = exits
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
        self.kept: Env = {}
        self.yields = False
        self.has_places = False
        self.variadic = None
        self.carried: dict[str, Term] = {}
        self.drawn = self.function.drawn
        self.key = None
        self.complete = False
        self.globals: set[str] = set()
        # Names of functions around this one that it rebinds.
        self.nonlocals: Env = {}
        self.rebound: set[str] = set()
        self.waiting: list[tuple[Function, Any, tuple[_Scope, ...]]] = []
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
        names = self.module.names
        if name in names:
            term = names[name]
            return term if isinstance(term, Ref) and name not in self.rebound else self.terms.make(Global, name)
        if name in self.globals or (name not in _BUILTINS and (not self.complete or self.module.stars)):
            return self.terms.make(Global, name)
        return self.terms.imported(f"builtins.{name}")

    def settled(self, term: Term) -> Term:
        """The constant that a name of the top level holds when functions run; other terms as they are."""
        if isinstance(term, Global) and self.complete and term.name not in self.rebound:
            held = self.module.names.get(term.name, term)
            return held if isinstance(held, Const) else term
        return term

    def lower_function(self, function: Function, node: Any, enclosing: tuple[_Scope, ...]) -> None:
        """Lower the body of a function that was met before, in the scopes that enclosed it there."""
        self.function = function
        self.tests = function.tests
        self.enclosing = enclosing
        self.outer_envs = tuple([self._closed(scope, function) for scope in enclosing])
        self.final = {}
        self.yields = False
        self.has_places = False
        self.carried = {}
        self.drawn = function.drawn
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
        self.variadic = None
        if arguments.vararg is not None:
            self.variadic = function.variadic = self.env[arguments.vararg.arg] = self.unknown(arguments.vararg)
        if arguments.kwarg is not None:
            self.env[arguments.kwarg.arg] = self.terms.make(Kwargs, function.qualname)
        if isinstance(node, ast.Lambda):
            self.statement = spot_of(node.body)
            value, block = self.captured(lambda: self.expr(node.body))
            function.body = (*block, Exit("return", value, spot_of(node.body)))
        else:
            function.body, _ = self.block_of(node.body)
        function.generator = self.yields
        self.final.update(self.env)

    def _closed(self, scope: _Scope, function: Function) -> Env:
        """What a nested function finds in a scope around it, whenever it is called.

        A name that is bound later is what it is in the end; one that is bound again later is unsettled. A lambda is
        taken to be called where it stands.
        """
        then, final = scope
        closed = {**final, **then}
        if function.kind != "lambda":
            spot = function.spot
            for name, term in then.items():
                if final.get(name, term) is not term:
                    closed[name] = self.terms.make(LoopPhi, name, spot.line, spot.column, "in")
        return closed

    def unsettled(self, name: str, node: ast.stmt) -> Term:
        """The value of a name that several functions bind."""
        return self.terms.make(LoopPhi, name, node.lineno, node.col_offset, "in")

    def bound_in(self, target: ast.expr) -> Block:
        """The steps that bind what a loop or ``with`` names, once :meth:`bind_pattern` has run."""
        names = (node for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        if self.function.kind == "class":
            return ()
        return tuple([Bind(each.id, self.env[each.id], spot_of(each)) for each in names])

    def declare_function(self, node: Any, name: str, kind: str) -> Function:
        """Register a function and put its body on the waiting list."""
        inside_class = self.cls is not None and self.function.kind == "class"
        if inside_class:
            assert self.cls is not None
            prefix = self.cls.qualname + "."
        else:
            prefix = "" if self.function.kind == "module" else self.function.qualname + "."
        qualname = prefix + name
        while qualname in self.module.functions:
            qualname += "'"
        arguments = node.args
        positional = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        keyword_only = [a.arg for a in arguments.kwonlyargs]
        function = Function(qualname, (*positional, *keyword_only), len(positional), spot=spot_of(node), kind=kind)
        function.tests = self.tests
        defaults = arguments.defaults
        for parameter, default in zip(positional[len(positional) - len(defaults) :], defaults, strict=True):
            function.defaults[parameter] = self.expr(default)
        for parameter, default in zip(keyword_only, arguments.kw_defaults, strict=True):
            if default is not None:
                function.defaults[parameter] = self.expr(default)
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if argument.annotation is not None:
                function.annotations[argument.arg] = self.annotation(argument.annotation)
        returned = getattr(node, "returns", None)
        if isinstance(returned, ast.expr) and not isinstance(returned, ast.Constant):
            function.annotations["return"] = self.annotation(returned)
        if inside_class:
            assert self.cls is not None
            function.cls = self.cls.qualname
        elif self.function.kind != "module":
            function.outer = self.function.qualname
        self.module.functions[qualname] = function
        enclosing = self.enclosing
        if self.function.kind not in ("module", "class"):
            enclosing = ((dict(self.env), self.final), *enclosing)
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
                            self.function.shared[held] = env[name]
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

    def nested_function(self, node: ast.Lambda) -> Term:
        """A lambda is a function named for its place."""
        function = self.declare_function(node, f"<lambda {node.lineno}:{node.col_offset}>", "lambda")
        return self.terms.make(Nested, function.qualname)

    def function_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """``def``: decorators and defaults run here, the body waits."""
        decorators = tuple([self.expr(decorator) for decorator in node.decorator_list])
        function = self.declare_function(node, node.name, self.kind_of(decorators))
        function.decorators = decorators
        function.decorator_spots = tuple([spot_of(decorator) for decorator in node.decorator_list])
        if function.cls is not None:
            assert self.cls is not None
            self.cls.methods[node.name] = function.qualname
        own = self.function.kind == "module"
        value: Term = self.terms.make(Global, node.name) if own else self.terms.make(Nested, function.qualname)
        self.hold(node.name, value, function.spot)
        return True

    def kind_of(self, decorators: Sequence[Term]) -> str:
        """``method``, ``static``, ``property`` or ``function``, by place and decorators."""
        if self.function.kind != "class":
            return "function"
        names = {d.name.rpartition(".")[2] for d in decorators if isinstance(d, (Ref, Global))}
        names |= {d.name for d in decorators if isinstance(d, Attr)}
        if "staticmethod" in names:
            return "static"
        if "classmethod" in names:
            return "classmethod"
        return "property" if names & {"property", "cached_property"} else "method"

    def class_def(self, node: ast.ClassDef) -> bool:
        """``class``: its body runs here, in a scope that functions in it do not see."""
        bases = tuple([self.expr(base) for base in node.bases])
        for keyword in node.keywords:
            self.expr(keyword.value)
        decorators = tuple([self.expr(decorator) for decorator in node.decorator_list])
        prefix = "" if self.function.kind == "module" else self.function.qualname + "."
        cls = Class(prefix + node.name, bases, decorators, spot=spot_of(node))
        while cls.qualname in self.module.classes:
            cls.qualname += "'"
        self.module.classes[cls.qualname] = cls
        own = self.function.kind == "module"
        value: Term = self.terms.make(Global, node.name) if own else self.terms.make(NestedClass, cls.qualname)
        self.hold(node.name, value, cls.spot)
        saved = (self.function, self.cls, self.env, self.outer_envs, self.enclosing, self.around_class)
        if self.function.kind == "module":
            self.around_class = self.env
        elif self.function.kind != "class":
            self.outer_envs = (self.env, *self.outer_envs)
            self.enclosing = ((dict(self.env), self.final), *self.enclosing)
        self.function, self.cls, self.env = Function(cls.qualname, kind="class"), cls, {}
        body, _ = self.block_of(node.body)
        cls.attributes = {name: term for name, term in self.env.items() if isinstance(name, str)}
        self.function, self.cls, self.env, self.outer_envs, self.enclosing, self.around_class = saved
        self.out.extend(body)
        return True
