"""Lowering of ``def`` and ``class``: what runs where they stand. Bodies of functions are lowered later, by ``Expressions``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from trainlint.ir.expressions import Expressions
from trainlint.ir.nodes import Attr, Global, Nested, NestedClass, Ref, Term
from trainlint.ir.sketch import Class, Function, spot_of


class Definitions(Expressions):
    """Lowers definitions; control always runs past these."""

    def function_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """``def``: decorators and defaults run here, the body waits."""
        decorators = tuple([self.expr(decorator) for decorator in node.decorator_list])
        function = self.declare_function(node, node.name, self.kind_of(decorators), self.statement)
        function.decorators = decorators
        function.decorator_spots = tuple([spot_of(decorator) for decorator in node.decorator_list])
        if function.cls is not None:
            assert self.cls is not None
            self.cls.methods[node.name] = function.qualname
        own = self.function.kind == "module"
        value: Term = self.terms.make(Global, node.name) if own else self.terms.make(Nested, function.qualname)
        if own and isinstance(node, ast.FunctionDef) and not decorators and function.qualname == node.name:
            self.plain[node.name] = node
        elif own:
            self.plain.pop(node.name, None)
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
        cls = Class(prefix + node.name, bases, decorators, spot=self.statement)
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
