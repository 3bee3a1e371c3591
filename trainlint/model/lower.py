"""Lowering: one pass over a parsed file that leaves sketches and terms (see :mod:`~trainlint.model.sketch`).

The pass runs forward through each function and keeps an environment: what every name is bound to here. At a branch the
environment is copied, at the join the two are merged (``x = 1 if c else 2`` and the four-line form give the same term);
a loop makes uncertain what it assigns. The top level of a file comes first, functions are lowered when it is complete.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from typing import Any

from trainlint.finding import Spot
from trainlint.model.assigned import assigned_in
from trainlint.model.expressions import Env, Expressions, spot_of
from trainlint.model.sketch import (
    Block,
    Class,
    Exit,
    Function,
    If,
    Loop,
    Module,
    Statement,
    Store,
    Try,
    With,
)
from trainlint.model.terms import Term, Terms

_EVERYTHING = Spot(1, 0, 1, 0)
_BUILTINS = frozenset(dir(builtins))


class Lowering(Expressions):
    """Lowers one file. ``exits`` are the dotted names of calls that end the process (``sys.exit``)."""

    def __init__(self, path: str, exits: Collection[str], *, package: bool = False) -> None:
        self.module = Module(path, package)
        self.terms = Terms()
        self.exits = exits
        self.env: Env = {}
        self.out: list[Statement] = []
        self.statement = _EVERYTHING
        self.function = Function("<module>", kind="module")
        self.cls: Class | None = None
        self.outer_envs: tuple[Env, ...] = ()
        self.globals: set[str] = set()
        self.rebound: set[str] = set()
        self.waiting: list[tuple[Function, Any, tuple[Env, ...]]] = []
        self.lambdas = 0
        self.imported: list[str] = []

    def run(self, tree: ast.Module) -> Module:
        """Lower the whole file."""
        module = self.module
        module.functions["<module>"] = self.function
        body, _ = self.block_of(tree.body)
        self.function.body = body
        self.function.bound = self.bound_names()
        module.names = {name: term for name, term in self.env.items() if isinstance(name, str)}
        while self.waiting:
            self.lower_function(*self.waiting.pop())
        module.rebound = frozenset(self.rebound)
        module.imports = tuple(dict.fromkeys(self.imported))
        return module

    # -- scopes ---------------------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Term:
        term = self.env.get(name)
        if term is not None:
            return term
        for env in self.outer_envs:
            term = env.get(name)
            if term is not None:
                return term
        names = self.module.names
        if name in names:
            term = names[name]
            return term if term[0] == "r" and name not in self.rebound else self.terms.make("g", name)
        if name in self.globals or (name not in _BUILTINS and (self.function.kind == "module" or self.module.stars)):
            return self.terms.make("g", name)
        return self.terms.make("r", f"builtins.{name}")

    def lower_function(self, function: Function, node: Any, outer_envs: tuple[Env, ...]) -> None:
        """Lower the body of a function that was met before."""
        self.function = function
        self.cls = self.module.classes.get(function.cls) if function.cls else None
        self.outer_envs = outer_envs
        self.globals = set()
        self.env = {}
        for index, name in enumerate(function.parameters):
            is_self = (index == 0 and function.kind in ("method", "property", "classmethod")) or (
                name == "self" and function.cls is not None  # a static method that is handed its object
            )
            self.env[name] = (
                self.terms.make("self", function.cls) if is_self else self.terms.make("p", function.qualname, name)
            )
        arguments = node.args
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                self.env[extra.arg] = self.terms.make("v", extra.lineno, extra.col_offset)
        if isinstance(node, ast.Lambda):
            self.statement = spot_of(node.body)
            value, block = self.captured(lambda: self.expr(node.body))
            function.body = (*block, Exit("return", value, spot_of(node.body)))
        else:
            function.body, _ = self.block_of(node.body)
        function.generator = _yields(function.body)
        function.bound = self.bound_names()

    def bound_names(self) -> dict[str, Term]:
        """The local names that hold something a repair may want to name."""
        tags = ("call", "if", "sub", "p", "a", "or", "and")
        return {name: term for name, term in self.env.items() if type(name) is str and term[0] in tags}

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
        defaults = arguments.defaults
        for parameter, default in zip(positional[len(positional) - len(defaults) :], defaults):
            function.defaults[parameter] = self.expr(default)
        for parameter, default in zip(keyword_only, arguments.kw_defaults):
            if default is not None:
                function.defaults[parameter] = self.expr(default)
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if argument.annotation is not None:
                function.annotations[argument.arg] = self.annotation(argument.annotation)
        if inside_class:
            assert self.cls is not None
            function.cls = self.cls.qualname
        elif self.function.kind != "module":
            function.outer = self.function.qualname
        self.module.functions[qualname] = function
        envs = self.outer_envs
        if self.function.kind not in ("module", "class"):
            envs = (self.env, *envs)
        self.waiting.append((function, node, envs))
        return function

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
        self.lambdas += 1
        function = self.declare_function(node, f"<lambda {node.lineno}:{node.col_offset}>", "lambda")
        return self.terms.make("fn", function.qualname)

    def function_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        decorators = tuple([self.expr(decorator) for decorator in node.decorator_list])
        function = self.declare_function(node, node.name, self.kind_of(decorators))
        function.decorators = decorators
        function.decorator_spots = tuple([spot_of(decorator) for decorator in node.decorator_list])
        if function.cls is not None:
            assert self.cls is not None
            self.cls.methods[node.name] = function.qualname
        tag = "g" if self.function.kind == "module" else "fn"
        self.env[node.name] = self.terms.make(tag, node.name if tag == "g" else function.qualname)
        return True

    def kind_of(self, decorators: Sequence[Term]) -> str:
        """``method``, ``static``, ``property`` or ``function``, by place and decorators."""
        if self.function.kind != "class":
            return "function"
        names = {str(d[1]).rpartition(".")[2] for d in decorators if d[0] in ("r", "g")}
        names |= {d[2] for d in decorators if d[0] == "a"}
        if "staticmethod" in names:
            return "static"
        if "classmethod" in names:
            return "classmethod"
        return "property" if names & {"property", "cached_property"} else "method"

    def class_def(self, node: ast.ClassDef) -> bool:
        bases = tuple([self.expr(base) for base in node.bases])
        for keyword in node.keywords:
            self.expr(keyword.value)
        for decorator in node.decorator_list:
            self.expr(decorator)
        prefix = "" if self.function.kind == "module" else self.function.qualname + "."
        cls = Class(prefix + node.name, bases, spot=spot_of(node))
        while cls.qualname in self.module.classes:
            cls.qualname += "'"
        self.module.classes[cls.qualname] = cls
        tag = "g" if self.function.kind == "module" else "cls"
        self.env[node.name] = self.terms.make(tag, node.name if tag == "g" else cls.qualname)
        saved = (self.function, self.cls, self.env, self.outer_envs)
        if self.function.kind not in ("module", "class"):
            self.outer_envs = (self.env, *self.outer_envs)
        outer_env = self.env
        self.function, self.cls, self.env = Function(cls.qualname, kind="class"), cls, {}
        if saved[0].kind == "module":
            # A class body sees the names bound so far at the top level.
            self.outer_envs = (outer_env, *self.outer_envs)
            body, _ = self.block_of(node.body)
        else:
            body, _ = self.block_of(node.body)
        cls.attributes = {name: term for name, term in self.env.items() if isinstance(name, str)}
        self.function, self.cls, self.env, self.outer_envs = saved
        self.out.extend(body)
        return True

    # -- statements -----------------------------------------------------------------------------------------------

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

    def expression(self, node: ast.Expr) -> bool:
        if isinstance(node.value, ast.Constant):
            return True
        term = self.expr(node.value)
        if term[0] == "call" and term[1][0] == "r" and term[1][1] in self.exits:
            self.out.append(Exit("exit", None, spot_of(node)))
            return False
        return True

    def assign(self, node: ast.Assign) -> bool:
        value = self.expr(node.value)
        for target in node.targets:
            self.bind(target, value, node)
        return True

    def annotated(self, node: ast.AnnAssign) -> bool:
        if node.value is not None:
            self.bind(node.target, self.expr(node.value), node)
        return True

    def augmented(self, node: ast.AugAssign) -> bool:
        added = self.expr(node.value)
        if isinstance(node.target, ast.Name):
            old = self.lookup(node.target.id)
            term = self.terms.make("bin", type(node.op).__name__, old, added)
            self.bind(node.target, self.terms.bounded(term, node.lineno, node.col_offset), node)
        else:
            self.bind(node.target, self.unknown(node), node)
        return True

    def bind(self, target: ast.expr, value: Term, node: ast.stmt) -> None:
        """Bind an assignment target; what outlives the function is also written down as a store."""
        if isinstance(target, ast.Name):
            self.env[target.id] = value
            if target.id in self.globals:
                self.rebound.add(target.id)
                self.out.append(Store(self.terms.make("g", target.id), value, spot_of(node)))
        elif isinstance(target, ast.Attribute):
            base = self.expr(target.value)
            place = self.terms.make("a", base, target.attr)
            if base[0] != "r":
                self.env[place] = value
            self.out.append(Store(place, value, spot_of(node)))
        elif isinstance(target, (ast.Tuple, ast.List)):
            same = value[0] in ("tuple", "list") and len(value[1]) == len(target.elts)
            for index, item in enumerate(target.elts):
                part = value[1][index] if same else self.terms.make("sub", value, self.terms.const(index))
                self.bind(item, part, node)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, self.unknown(target), node)
        elif isinstance(target, ast.Subscript):
            self.expr(target.value)
            self.expr(target.slice)

    def bind_pattern(self, target: ast.expr, value: Term) -> None:
        if isinstance(target, ast.Attribute):
            self.env.pop(self.terms.make("a", self.expr(target.value), target.attr), None)
        else:
            super().bind_pattern(target, value)

    def import_(self, node: ast.Import) -> bool:
        for alias in node.names:
            if alias.asname:
                self.env[alias.asname] = self.terms.make("r", alias.name)
            else:
                top = alias.name.partition(".")[0]
                self.env[top] = self.terms.make("r", top)
            if "." in alias.name or self.function.kind != "module":
                self.imported.append(alias.name)
        return True

    def import_from(self, node: ast.ImportFrom) -> bool:
        base = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.module.stars = (*self.module.stars, base)
            else:
                joint = "" if not node.module else "."
                if self.function.kind != "module":
                    self.imported.append(f"{base}{joint}{alias.name}")
                self.env[alias.asname or alias.name] = self.terms.make("r", f"{base}{joint}{alias.name}")
        return True

    def if_(self, node: ast.If) -> bool:
        known = _constant_test(node.test)
        if known is not None:
            chosen = node.body if known else node.orelse
            block, falls = self.block_of(chosen)
            self.out.extend(block)
            return falls
        whole = self.statement
        condition = self.expr(node.test)
        before = self.env
        self.env = dict(before)
        body, falls = self.block_of(node.body)
        after_body, self.env = self.env, dict(before)
        orelse, falls_else = self.else_block(node, whole)
        if body or orelse:
            self.out.append(If(condition, body, orelse, whole, spot_of(node.test)))
        if falls and falls_else:
            self.env = self.merged(condition, after_body, self.env, node)
        elif falls:
            self.env = after_body
        return falls or falls_else

    def else_block(self, node: ast.If, whole: Spot) -> tuple[Block, bool]:
        """The else branch; an ``elif`` belongs to the statement that its chain began."""
        orelse = node.orelse
        if len(orelse) == 1 and isinstance(orelse[0], ast.If) and orelse[0].col_offset == node.col_offset:
            saved, self.out = self.out, []
            self.statement = whole
            falls = self.if_(orelse[0])
            block, self.out = tuple(self.out), saved
            return block, falls
        return self.block_of(orelse)

    def merged(self, condition: Term, left: Env, right: Env, node: Any) -> Env:
        """The environment after a branch: where the sides differ, a conditional value."""
        result: Env = {}
        for name, term in left.items():
            other = right.get(name)
            if other is term:
                result[name] = term
            elif other is None:
                if isinstance(name, str):
                    result[name] = term  # unbound on the other side: a use would be an error there
            else:
                choice = self.terms.make("if", condition, term, other)
                result[name] = self.terms.bounded(choice, node.lineno, node.col_offset)
        for name, term in right.items():
            if isinstance(name, str) and name not in left:
                result[name] = term
        return result

    def forget(self, names: set[str], node: Any, when: str) -> None:
        """What a loop assigns is not what it was before (``when`` "in" the loop and "after" it)."""
        for name in names:
            if name[0] == ".":
                for place in [p for p in self.env if type(p) is Term and p[2] == name[1:]]:
                    del self.env[place]
            elif name in self.env:
                self.env[name] = self.terms.make("lv", name, node.lineno, node.col_offset, when)

    def for_(self, node: ast.For | ast.AsyncFor) -> bool:
        whole = self.statement
        subject = self.expr(node.iter)
        names = assigned_in(node.body)
        self.forget(names, node, "in")
        target = self.terms.make("elem", subject, node.lineno, node.col_offset)
        self.bind_pattern(node.target, target)
        body, _ = self.block_of(node.body)
        self.forget(names, node, "after")
        orelse, falls = self.block_of(node.orelse)
        bound = _names_of(node.target)
        self.out.append(Loop("for", subject, target, bound, body, orelse, whole))
        return falls or bool(node.orelse) or True

    def while_(self, node: ast.While) -> bool:
        whole = self.statement
        names = assigned_in(node.body)
        self.forget(names, node, "in")
        condition, test = self.captured(lambda: self.expr(node.test))
        body, _ = self.block_of(node.body)
        self.forget(names, node, "after")
        orelse, _ = self.block_of(node.orelse)
        self.out.append(Loop("while", condition, None, (), test + body, orelse, whole))
        endless = condition[0] == "c" and bool(condition[2])
        return not endless or _breaks(node.body)

    def try_(self, node: Any) -> bool:
        whole = self.statement
        before = dict(self.env)
        body, falls = self.block_of(node.body)
        orelse: Block = ()
        if falls:
            orelse, falls = self.block_of(node.orelse)
        after = self.env
        doubt = self.terms.make("v", node.lineno, node.col_offset)
        handlers = []
        for handler in node.handlers:
            self.env = dict(before)
            for name in assigned_in(node.body):
                if name in self.env:
                    self.env[name] = self.terms.make("lv", name, handler.lineno, handler.col_offset, "in")
            if handler.name:
                self.env[handler.name] = self.terms.make("v", handler.lineno, handler.col_offset)
            block, handler_falls = self.block_of(handler.body)
            handlers.append(block)
            if handler_falls:
                after = self.merged_try(doubt, after, self.env, node) if falls else self.env
                falls = True
        self.env = after
        final, final_falls = self.block_of(node.finalbody)
        self.out.append(Try(body, tuple(handlers), orelse, final, whole))
        return falls and final_falls

    def merged_try(self, doubt: Term, left: Env, right: Env, node: Any) -> Env:
        """After ``try``: an import that worked stands for itself, whatever its fallback was."""
        result = self.merged(doubt, left, right, node)
        for name, term in left.items():
            if term[0] in ("r", "g", "fn", "cls") and name in result:
                result[name] = term
        return result

    def with_(self, node: ast.With | ast.AsyncWith) -> bool:
        whole = self.statement
        items = []
        for item in node.items:
            manager = self.expr(item.context_expr)
            items.append(manager)
            if item.optional_vars is not None:
                self.bind_pattern(item.optional_vars, self.terms.make("enter", manager))
        body, falls = self.block_of(node.body)
        self.out.append(With(tuple(items), body, whole))
        return falls

    def return_(self, node: ast.Return) -> bool:
        value = self.expr(node.value) if node.value is not None else None
        self.out.append(Exit("return", value, spot_of(node)))
        return False

    def raise_(self, node: ast.Raise) -> bool:
        for part in (node.exc, node.cause):
            if part is not None:
                self.expr(part)
        self.out.append(Exit("raise", None, spot_of(node)))
        return False

    def break_(self, node: ast.Break) -> bool:
        self.out.append(Exit("break", None, spot_of(node)))
        return False

    def continue_(self, node: ast.Continue) -> bool:
        self.out.append(Exit("continue", None, spot_of(node)))
        return False

    def assert_(self, node: ast.Assert) -> bool:
        condition = self.expr(node.test)
        spot = spot_of(node)
        self.out.append(If(condition, (), (Exit("raise", None, spot),), spot, spot_of(node.test)))
        return True

    def delete(self, node: ast.Delete) -> bool:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.env.pop(target.id, None)
        return True

    def global_(self, node: ast.Global) -> bool:
        self.globals.update(node.names)
        self.rebound.update(node.names)
        for name in node.names:
            self.env.pop(name, None)
        return True

    def nonlocal_(self, node: ast.Nonlocal) -> bool:
        for name in node.names:
            self.env[name] = self.terms.make("lv", name, node.lineno, node.col_offset, "in")
        return True

    def match(self, node: ast.Match) -> bool:
        whole = self.statement
        subject = self.expr(node.subject)
        return self._cases(node, subject, 0, whole)

    def _cases(self, node: ast.Match, subject: Term, index: int, whole: Spot) -> bool:
        if index == len(node.cases):
            return True
        case = node.cases[index]
        condition = self.pattern(case.pattern, subject)
        if case.guard is not None:
            guard = self.expr(case.guard)
            condition = guard if condition is None else self.terms.make("and", (condition, guard))
        before = self.env
        if condition is None:
            block, falls = self.block_of(case.body)
            self.out.extend(block)
            return falls
        self.env = dict(before)
        body, falls = self.block_of(case.body)
        after_body, self.env = self.env, dict(before)
        saved, self.out = self.out, []
        falls_else = self._cases(node, subject, index + 1, whole)
        orelse, self.out = tuple(self.out), saved
        self.out.append(If(condition, body, orelse, whole, spot_of(case.pattern)))
        if falls and falls_else:
            self.env = self.merged(condition, after_body, self.env, node)
        elif falls:
            self.env = after_body
        return falls or falls_else

    def pattern(self, pattern: ast.pattern, subject: Term) -> Term | None:
        """The test that a pattern makes, None for one that always matches."""
        make = self.terms.make
        if isinstance(pattern, ast.MatchValue):
            return make("cmp", "Eq", subject, self.expr(pattern.value))
        if isinstance(pattern, ast.MatchSingleton):
            return make("cmp", "Is", subject, self.terms.const(pattern.value))
        if isinstance(pattern, ast.MatchOr):
            tests = [self.pattern(part, subject) for part in pattern.patterns]
            known = [test for test in tests if test is not None]
            return None if len(known) < len(tests) else make("or", tuple(known))
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
            if pattern.name:
                self.env[pattern.name] = subject
            return None
        return make("v", pattern.lineno, pattern.col_offset)


def _constant_test(node: ast.expr) -> bool | None:
    """The value of tests that are settled before any rank is asked: constants, TYPE_CHECKING, the main guard."""
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__":
        return True
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
    return True if name == "TYPE_CHECKING" else None


def _names_of(target: ast.expr) -> tuple[str, ...]:
    """The names a loop binds, first to last; an item such as ``state["epoch"]`` as it is written."""
    if isinstance(target, (ast.Subscript, ast.Attribute)):
        return (ast.unparse(target),)
    return tuple(node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _breaks(statements: Sequence[ast.stmt]) -> bool:
    """Whether a ``break`` of this very loop stands in its body."""
    for node in statements:
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for name in ("body", "orelse", "finalbody"):
            if _breaks(getattr(node, name, ())):
                return True
        if any(_breaks(part.body) for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))):
            return True
    return False


def _yields(block: Block) -> bool:
    """Whether a ``yield`` stands in the block."""
    for node in block:
        kind = type(node).__name__
        if kind == "Yield":
            return True
        if isinstance(node, (If, Loop)) and (_yields(node.body) or _yields(node.orelse)):
            return True
        if isinstance(node, With) and _yields(node.body):
            return True
        if isinstance(node, Try) and any(_yields(b) for b in (node.body, *node.handlers, node.orelse, node.final)):
            return True
    return False


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
