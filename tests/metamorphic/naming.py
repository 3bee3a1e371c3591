"""Which names statements read and bind: what a piece of code needs when it is moved into a function, and what it gives back."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.metamorphic.program import Function, Unfit

_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Loop = ast.For | ast.AsyncFor | ast.While
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass
class Names:
    """What statements do with names, each in the order of first appearance.

    ``reads`` may have been bound before the statements, ``writes`` may be bound by them, ``sure`` are bound whenever they end.
    """

    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    sure: set[str] = field(default_factory=set)


def names_of(nodes: Iterable[ast.AST]) -> Names:
    """Of statements that run one after the other, or of an expression; raises :class:`Unfit` for ``del`` and ``global``."""
    reader = _Reader()
    for node in nodes:
        reader.visit(node)
    return Names(reader.reads, reader.writes, reader.sure)


def arguments_of(function: _Scope) -> list[str]:
    """The names of all parameters."""
    args = function.args
    plain = [
        *args.posonlyargs,
        *args.args,
        *([args.vararg] if args.vararg else []),
        *args.kwonlyargs,
        *([args.kwarg] if args.kwarg else []),
    ]
    return [each.arg for each in plain]


def bound_in(scope: _Scope | ast.Module) -> list[str]:
    """The names that belong to a function (its parameters and what it binds), or that a module binds; imports and all."""
    found = dict.fromkeys([] if isinstance(scope, ast.Module) else arguments_of(scope))
    lent: set[str] = set()
    for node in inside(scope.body if isinstance(scope.body, list) else [scope.body]):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = None
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update(dict.fromkeys(imported_names(node)))
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found[node.name] = None
        elif isinstance(node, ast.Nonlocal | ast.Global):
            lent.update(node.names)
    return [each for each in found if each not in lent]


def inside(nodes: Iterable[ast.AST], but: Sequence[ast.AST] = ()) -> Iterator[ast.AST]:
    """The nodes and all below them that are of the same scope: of functions, classes and comprehensions inside only the head.

    Those in ``but`` are left out, and what is below them.
    """
    todo = list(nodes)[::-1]
    while todo:
        node = todo.pop()
        if any(node is each for each in but):
            continue
        yield node
        if isinstance(node, Function):
            below: list[ast.AST] = [*node.decorator_list, *node.args.defaults, *(each for each in node.args.kw_defaults if each)]
        elif isinstance(node, ast.Lambda):
            below = [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]
        elif isinstance(node, ast.ClassDef):
            below = [*node.decorator_list, *node.bases, *node.keywords]
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            # What := binds in a comprehension belongs to the scope around it.
            below = [each.target for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
        else:
            below = list(ast.iter_child_nodes(node))
        todo += below[::-1]


def all_names(node: ast.AST) -> set[str]:
    """Every name that is in there, whatever it stands for (but for attributes and keywords)."""
    found = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.arg):
            found.add(each.arg)
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(each.name)
        elif isinstance(each, ast.Import | ast.ImportFrom):
            found.update(imported_names(each))
    return found


def declared_global(module: ast.Module) -> set[str]:
    """The names of the top level that functions bind anew."""
    return {name for each in ast.walk(module) if isinstance(each, ast.Global) for name in each.names}


def imported_names(node: ast.Import | ast.ImportFrom) -> list[str]:
    """What an import binds."""
    return [each.asname or each.name.split(".")[0] for each in node.names]


def free_in(scope: _Scope) -> list[str]:
    """The names that a function takes from around it."""
    own = set(bound_in(scope))
    found: dict[str, None] = {}
    for node in scope.body if isinstance(scope.body, list) else [scope.body]:
        for each in loaded(node):
            if each not in own:
                found[each] = None
    return list(found)


def loaded(*nodes: ast.AST, but: Sequence[ast.AST] = ()) -> list[str]:
    """The names that are read in nodes (but for some in them), also by functions in them, without those that belong to these."""
    found: dict[str, None] = {}
    for each in inside(nodes, but):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            found[each.id] = None
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found[each.target.id] = None
        elif isinstance(each, _Scope):
            found.update(dict.fromkeys(free_in(each)))
        elif isinstance(each, ast.ClassDef):
            for statement in each.body:
                found.update(dict.fromkeys(loaded(statement)))
        elif isinstance(each, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            found.update(dict.fromkeys(_free_in_comprehension(each)))
    return list(found)


def _free_in_comprehension(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> list[str]:
    own = {name.id for each in node.generators for name in ast.walk(each.target) if isinstance(name, ast.Name)}
    found = dict.fromkeys(name for each in ast.iter_child_nodes(node) for name in loaded(each))
    return [each for each in found if each not in own]


def is_loose(node: ast.AST, kinds: tuple[type[ast.AST], ...]) -> bool:
    """Whether a way out of these kinds leaves the statement itself (and not only a loop or function in it)."""
    if isinstance(node, kinds):
        return True
    if isinstance(node, _Scope | ast.ClassDef):
        return False
    if isinstance(node, _Loop):
        kinds = tuple(each for each in kinds if each not in (ast.Break, ast.Continue))
        return any(is_loose(each, kinds) for each in ast.iter_child_nodes(node))
    return any(is_loose(each, kinds) for each in ast.iter_child_nodes(node))


def mentions(nodes: Iterable[ast.AST], name: str) -> bool:
    """Whether a name is in there, in whatever role."""
    return any(isinstance(each, ast.Name) and each.id == name for node in nodes for each in ast.walk(node))


class Renamed(ast.NodeTransformer):
    """Other names in the place of some."""

    def __init__(self, to: dict[str, str]) -> None:
        self.to = to

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.to.get(node.id, node.id)
        return node


class _Reader(ast.NodeVisitor):
    """Follows what statements do in the order in which they run."""

    def __init__(self) -> None:
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.sure: set[str] = set()

    def _read(self, name: str) -> None:
        if name not in self.sure and name not in self.reads:
            self.reads.append(name)

    def _write(self, name: str) -> None:
        self.sure.add(name)
        if name not in self.writes:
            self.writes.append(name)

    def _all(self, nodes: Sequence[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _arms(self, arms: Sequence[Sequence[ast.AST | None]]) -> None:
        """Of ways that exclude each other, all from here: behind them is sure what is so on all that come to their end."""
        before = set(self.sure)
        ends: list[set[str]] = []
        for arm in arms:
            self.sure = set(before)
            self._all(arm)
            if not (arm and isinstance(arm[-1], _ENDS)):
                ends.append(self.sure)
        self.sure = set.intersection(*ends) if ends else before

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._read(node.id)
        elif isinstance(node.ctx, ast.Store):
            self._write(node.id)
        else:
            raise Unfit(f"del {node.id}")

    def visit_Assign(self, node: ast.Assign) -> None:
        self._all([node.value, *node.targets])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._all([node.value, node.target])

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._read(node.target.id)
        self._all([node.value, node.target])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._all([node.value, node.target])

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self._arms([node.body, node.orelse])

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._arms([[node.target, *node.body], []])
        self._all(node.orelse)

    def visit_While(self, node: ast.While) -> None:
        self.visit(node.test)
        self._arms([node.body, []])
        self._all(node.orelse)

    def visit_Try(self, node: ast.Try) -> None:
        caught = {each.name for each in node.handlers if each.name} - self.sure
        self.sure |= caught
        self._arms([[*node.body, *node.orelse], *([each.type, *each.body] for each in node.handlers)])
        self.sure -= caught
        self._all(node.finalbody)

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        self._arms(
            [*([each.pattern, each.guard, *each.body] for each in node.cases), *([] if _takes_all(node.cases[-1]) else [[]])]
        )

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self.generic_visit(node)
        if node.name:
            self._write(node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._all([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults])
        self._free(node)
        self._write(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._all([*node.args.defaults, *node.args.kw_defaults])
        self._free(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for name in loaded(node):
            self._read(name)
        self._write(node.name)

    def _free(self, node: _Scope) -> None:
        for name in free_in(node):
            self._read(name)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        for name in _free_in_comprehension(node):
            self._read(name)
        for each in ast.walk(node):
            if isinstance(each, ast.NamedExpr):
                self._write(each.target.id)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def visit_Import(self, node: ast.Import) -> None:
        for name in imported_names(node):
            self._write(name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for name in imported_names(node):
            self._write(name)

    def visit_Global(self, node: ast.Global) -> None:
        raise Unfit(f"global {node.names[0]}")

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        raise Unfit(f"nonlocal {node.names[0]}")


def _takes_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
