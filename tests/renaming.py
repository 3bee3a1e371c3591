"""Gives every name that a small project defines a new one without meaning, consistently over all its files.

Variables, parameters, functions, classes, methods, attributes and modules are renamed, and keyword arguments at the calls
of the project's own functions. Names of other libraries, builtins, dunder names, strings and comments stay, and so does
every line number. One old name has one new name in the whole project, whatever it stands for: the projects this is used
on must not give an attribute of their own the name of a framework's attribute that they also use, or it changes as well.
"""
# ruff: noqa: N802 (libcst and ast find these methods by name)

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import libcst as cst
from libcst.helpers import get_full_name_for_node

#: Methods that a framework calls by name on the project's classes.
CALLED_BY_FRAMEWORKS = frozenset({"forward"})


@dataclass
class Names:
    """What the files of a project define and what they take from elsewhere."""

    modules: set[str] = field(default_factory=set)  # its own files and packages
    dotted: set[str] = field(default_factory=set)  # "a.b" and "a.b.c" of its own ``import a.b.c``
    foreign: set[str] = field(default_factory=set)  # bound by imports of other libraries
    variables: set[str] = field(default_factory=set)  # everything bound in a scope, including functions and classes
    members: set[str] = field(default_factory=set)  # what can stand after a dot
    callables: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)  # attributes of argparse's result: they come from strings

    def new_names(self) -> dict[str, str]:
        """Old name to new name."""
        fixed = self.foreign | set(dir(builtins)) | CALLED_BY_FRAMEWORKS
        old = (self.modules | self.variables | self.members) - fixed
        old = {name for name in old if not (name.startswith("__") and name.endswith("__"))}
        return {name: f"q{number:03d}" for number, name in enumerate(sorted(old))}


class _Collector(ast.NodeVisitor):
    """Fills a :class:`Names` from one file."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            parts = alias.name.split(".")
            own = parts[0] in self.names.modules
            self._imported(alias, own=own)
            if own:
                self.names.dotted |= {".".join(parts[:end]) for end in range(2, len(parts) + 1)}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        own = node.level > 0 or (node.module or "").split(".")[0] in self.names.modules
        for alias in node.names:
            self._imported(alias, own=own)

    def _imported(self, alias: ast.alias, *, own: bool) -> None:
        if not own:
            self.names.foreign.add(alias.asname or alias.name.split(".")[0])
        elif alias.asname:
            self.names.variables.add(alias.asname)
            self.names.callables.add(alias.asname)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.names.variables.add(node.id)

    def visit_arg(self, node: ast.arg) -> None:
        self.names.variables.add(node.arg)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.names.variables.add(node.name)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names.variables.add(node.name)
        self.names.callables.add(node.name)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.variables.add(node.name)
        self.names.callables.add(node.name)
        self._members_of(node.body)
        self.generic_visit(node)

    def visit_Module(self, node: ast.Module) -> None:
        self._members_of(node.body)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store):
            self.names.members.add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            flags = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            self.names.options |= {flag.lstrip("-").replace("-", "_") for flag in flags}
        self.generic_visit(node)

    def _members_of(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                self.names.members.add(statement.name)
            elif isinstance(statement, ast.Assign):
                self.names.members |= {each.id for each in statement.targets if isinstance(each, ast.Name)}
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                self.names.members.add(statement.target.id)


class _Renamer(cst.CSTTransformer):
    """Rewrites one file."""

    def __init__(self, names: Names, new: dict[str, str]) -> None:
        super().__init__()
        self.names = names
        self.new = new
        self.after_dot = names.members - names.options

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        return updated_node.with_changes(value=self.new.get(original_node.value, original_node.value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        old = original_node.attr.value
        member = old in self.after_dot and _root(original_node.value) not in self.names.foreign
        own = member or get_full_name_for_node(original_node) in self.names.dotted
        return updated_node.with_changes(attr=cst.Name(self.new.get(old, old)) if own else original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        function = original_node.func
        last = function.attr if isinstance(function, cst.Attribute) else function
        if not (isinstance(last, cst.Name) and last.value in self.names.callables) or _root(function) in self.names.foreign:
            return updated_node
        return updated_node.with_changes(args=[self._with_new_keyword(each) for each in updated_node.args])

    def _with_new_keyword(self, argument: cst.Arg) -> cst.Arg:
        old = argument.keyword
        return argument if old is None else argument.with_changes(keyword=cst.Name(self.new.get(old.value, old.value)))

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return bool(node.relative) or _root(node.module) in self.names.modules

    def visit_Import(self, node: cst.Import) -> bool:
        return all(_root(alias.name) in self.names.modules for alias in node.names)


def _root(node: cst.CSTNode | None) -> str | None:
    """The name an expression starts with: ``torch`` of ``torch.optim.SGD(x).step``."""
    while not isinstance(node, cst.Name):
        if isinstance(node, cst.Attribute | cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        else:
            return None
    return node.value


def rename_project(source: Path, target: Path) -> dict[str, str]:
    """Write ``source``'s Python files, renamed, below ``target``; returns old to new name of every name that was changed."""
    files = sorted(source.rglob("*.py"))
    names = Names()
    for file in files:
        names.modules |= set(file.relative_to(source).with_suffix("").parts)
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    for text in texts.values():
        _Collector(names).visit(ast.parse(text))
    new = names.new_names()
    for file, text in texts.items():
        place = target / renamed_path(file.relative_to(source).as_posix(), new)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(cst.parse_module(text).visit(_Renamer(names, new)).code, encoding="utf-8")
    return new


def renamed_path(path: str, new: dict[str, str]) -> str:
    """Where :func:`rename_project` puts the file ``path`` (both relative, with slashes)."""
    stem = path.removesuffix(".py")
    return "/".join(new.get(part, part) for part in stem.split("/")) + ".py"
