"""Simple statements: they bind names, or take bindings away."""

from __future__ import annotations

import ast

from trainlint.ir.expressions import Expressions
from trainlint.ir.nodes import Attr, Augmented, BinOp, Call, Global, Ref, Term
from trainlint.ir.sketch import CallStep, Imported, Keep, Store
from trainlint.ir.spots import spot_of


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
        """``a += value`` is arithmetic on what the name was; what an attribute then holds is not worked out, nor an item."""
        added = self.expr(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            self.bind(target, self.sum(node, self.lookup(target.id), added), node)
            return True
        base = self.expr(target.value)
        place: Term
        if isinstance(target, ast.Attribute):
            place = self.terms.make(Attr, base, target.attr)
            value = self.terms.composite(Augmented, node.lineno, node.col_offset, (place, added))
            self.store(place, value, node)
        else:
            self.changed(base, target)
            place = self.item(target, base, self.expr(target.slice))
        self.out.append(Keep(place, self.sum(node, place, added), spot_of(node), "AugAssign"))
        return True

    def sum(self, node: ast.AugAssign, old: Term, added: Term) -> Term:
        """What ``+=`` and its like make of the old value and what is added."""
        return self.terms.bounded(self.terms.make(BinOp, type(node.op).__name__, old, added), node.lineno, node.col_offset)

    def store(self, place: Attr, value: Term, node: ast.stmt) -> None:
        """An attribute is bound to a value."""
        if not isinstance(place.base, Ref):
            self.env[place] = value
            self.has_places = True
        self.out.append(Store(place, value, spot_of(node), type(node).__name__))

    def bind(self, target: ast.expr, value: Term, node: ast.stmt) -> None:
        """Bind an assignment target; what outlives the function is also written down as a store."""
        if isinstance(target, ast.Name):
            carried = self.carried.get(target.id)
            if carried is not None:
                self.out.append(Keep(carried, value, spot_of(node), type(node).__name__))
            if target.id in self.shared:
                value = self.unsettled(target.id, node)
            self.hold(target.id, value, self.statement)
            if target.id in self.nonlocals:
                self.out.append(Store(self.nonlocals[target.id], value, spot_of(node), type(node).__name__))
            if target.id in self.globals:
                self.rebound.add(target.id)
                self.out.append(Store(self.terms.make(Global, target.id), value, spot_of(node), type(node).__name__))
        elif isinstance(target, ast.Attribute):
            self.store(self.terms.make(Attr, self.expr(target.value), target.attr), value, node)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for item, part in zip(target.elts, self.parts(target, value), strict=True):
                self.bind(item, part, node)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, self.unknown(target), node)
        elif isinstance(target, ast.Subscript):
            base = self.expr(target.value)
            self.changed(base, target)
            place = self.item(target, base, self.expr(target.slice))
            self.out.append(Keep(place, value, spot_of(node), type(node).__name__))

    def import_(self, node: ast.Import) -> bool:
        """``import a.b`` binds ``a``, ``import a.b as c`` binds ``c`` to ``a.b``."""
        for alias in node.names:
            if alias.asname:
                self.hold(alias.asname, self.terms.imported(alias.name), self.statement)
            else:
                top = alias.name.partition(".")[0]
                self.hold(top, self.terms.imported(top), self.statement)
            self._take(alias.asname or top, alias.name if alias.asname else top, node)
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
                self._take(alias.asname or alias.name, term.name, node, base)
        return True

    def _take(self, name: str, dotted: str, node: ast.stmt, whence: str | None = None) -> None:
        self.taken.append(Imported(name, dotted, spot_of(node), self.function.qualname, self.tests, whence))

    def delete(self, node: ast.Delete) -> bool:
        """``del name`` forgets the name; ``del base[key]`` is the call of a method, as it is when it runs; attributes stay."""
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.env.pop(target.id, None)
                self.bound(target.id, None, self.statement)
            elif isinstance(target, ast.Subscript):
                base = self.expr(target.value)
                self.changed(base, target)
                term = self.terms.make(Call, self.member(base, "__delitem__"), (self.expr(target.slice),), (), spot_of(target))
                self.out.append(CallStep(term, self.statement))
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
