"""Makes a program small while the analysis and the interpreter still disagree about it in the same way.

Delta debugging on the syntax tree: statements are taken out, blocks put in place of what surrounds them, conditions
replaced by their parts, decorators and arguments dropped, until nothing more can go. It needs no knowledge of
how the program came about, so it works on programs of any generator.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tests.oracle.program import Program
from tests.oracle.scorer import Result, compare

Trees = dict[str, ast.Module]
Predicate = Callable[[Program], bool]

#: Blocks from this length on are first tried by halves.
_LONG = 4
_BLOCKS = ("body", "orelse", "finalbody", "handlers")


def minimise(program: Program, keeps: Predicate) -> Program:
    """The smallest program that can be reached from this one by steps that all keep the property."""
    trees = {name: ast.parse(text) for name, text in program.files.items()}
    shrunk = True
    while shrunk:
        shrunk = False
        for step in (_without_files, _without_statements, _simpler):
            for candidate in _all(step, trees, program, keeps):
                trees, shrunk = candidate, True
    return _written(program, trees)


def disagreement(result: Result) -> Predicate:
    """Whether a program is judged wrongly in the way this one is."""

    def keeps(program: Program) -> bool:
        try:
            again = compare(program)
        except Exception:  # noqa: BLE001 - whatever is wrong with a candidate, it is not what is looked for
            return False
        return again.kind == result.kind and bool(again.found) == bool(result.found)

    return keeps


def _written(program: Program, trees: Trees) -> Program:
    trees = _swept(trees)
    return replace(program, files={name: f"{ast.unparse(tree)}\n" if tree.body else "" for name, tree in trees.items()})


def _all(step: Callable[[Trees], Iterator[Trees]], trees: Trees, program: Program, keeps: Predicate) -> Iterator[Trees]:
    """Take every step that keeps the property, one after the other."""
    skipped = 0
    while True:
        for number, candidate in enumerate(step(trees)):
            if number < skipped:
                continue
            skipped = number
            if keeps(_written(program, candidate)):
                trees = candidate
                yield trees
                break
            skipped += 1
        else:
            return


def _without_files(trees: Trees) -> Iterator[Trees]:
    for name in trees:
        yield {other: tree for other, tree in trees.items() if other != name}


def _places(trees: Trees) -> Iterator[tuple[str, int, str]]:
    """Every block: file, number of the node in its walk, and field."""
    for name, tree in trees.items():
        for number, node in enumerate(ast.walk(tree)):
            for field in _BLOCKS:
                if isinstance(getattr(node, field, None), list) and getattr(node, field):
                    yield name, number, field


def _edited(trees: Trees, name: str, number: int) -> tuple[Trees, ast.AST]:
    """A copy, and the node of this number in it."""
    tree = copy.deepcopy(trees[name])
    return {**trees, name: tree}, next(node for index, node in enumerate(ast.walk(tree)) if index == number)


def _without_statements(trees: Trees) -> Iterator[Trees]:
    """One statement less, or a statement's block in its place."""
    for name, number, field in _places(trees):
        _, original = _edited(trees, name, number)
        length = len(getattr(original, field))
        if length >= _LONG:
            for half in (slice(0, length // 2), slice(length // 2, length)):
                candidate, node = _edited(trees, name, number)
                del getattr(node, field)[half]
                yield candidate
        for index in range(len(getattr(original, field)) - 1, -1, -1):
            candidate, node = _edited(trees, name, number)
            block = getattr(node, field)
            taken = block.pop(index)
            if not block and field == "body" and not isinstance(node, ast.Module):
                if isinstance(taken, ast.Pass):
                    continue
                block.append(ast.Pass())
            yield candidate
            for inner in ("body", "orelse", "finalbody"):
                if isinstance(taken, (ast.If, ast.For, ast.While, ast.With, ast.Try)) and getattr(taken, inner, None):
                    candidate, node = _edited(trees, name, number)
                    getattr(node, field)[index : index + 1] = getattr(getattr(node, field)[index], inner)
                    yield candidate


def _simpler(trees: Trees) -> Iterator[Trees]:
    """One part of a condition, a decorator less, an argument less."""
    for name, tree in trees.items():
        for number, node in enumerate(ast.walk(tree)):
            if isinstance(node, ast.BoolOp):
                for value in range(len(node.values)):
                    candidate, same = _edited(trees, name, number)
                    assert isinstance(same, ast.BoolOp)
                    chosen = same.values[value]
                    yield {**candidate, name: _Replaced(same, chosen).visit(candidate[name])}
            for field in ("decorator_list", "keywords"):
                for index in range(len(getattr(node, field, ()))):
                    candidate, same = _edited(trees, name, number)
                    getattr(same, field).pop(index)
                    yield candidate


class _Replaced(ast.NodeTransformer):
    """One node in place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _swept(trees: Trees) -> Trees:
    """Without the definitions and imports that nobody names: what nobody calls the interpreter does not see."""
    while True:
        named: set[str] = set()
        for tree in trees.values():
            for node in ast.walk(tree):
                if isinstance(node, ast.Name):
                    named.add(node.id)
                elif isinstance(node, ast.Attribute):
                    named.add(node.attr)
                elif isinstance(node, ast.ImportFrom):
                    named.update(alias.name for alias in node.names)
        sweeper = _Sweeper(named)
        trees = {name: sweeper.visit(copy.deepcopy(tree)) for name, tree in trees.items()}
        if not sweeper.swept:
            return trees


class _Sweeper(ast.NodeTransformer):
    """Takes out definitions and imports of names that do not occur."""

    def __init__(self, named: set[str]) -> None:
        self.named = named
        self.swept = False

    def _definition(self, node: Any) -> Any:
        if node.name in self.named or node.name.startswith("__"):
            self.generic_visit(node)
            node.body = node.body or [ast.Pass()]
            return node
        self.swept = True
        return None

    visit_FunctionDef = visit_ClassDef = _definition  # noqa: N815 - names of ast

    def _import(self, node: Any) -> Any:
        kept = [alias for alias in node.names if (alias.asname or alias.name).partition(".")[0] in self.named]
        self.swept = self.swept or len(kept) < len(node.names)
        node.names = kept
        return node if kept else None

    visit_Import = visit_ImportFrom = _import  # noqa: N815 - names of ast
