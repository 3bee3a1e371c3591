"""The folders that scripts add to ``sys.path``, as far as they are written down: by them imports lead on."""

# Paths are plain strings here, as the finder of modules has them.
# ruff: noqa: PTH100, PTH112, PTH118, PTH120

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

_DEEPEST = 12
#: What leaves a path as it is.
_SAME = frozenset(("abspath", "realpath", "normpath", "str", "Path", "PurePath", "resolve", "absolute", "expanduser", "fspath"))
_ADDS = frozenset(("append", "insert", "extend"))


def added_folders(files: Iterable[Path]) -> dict[str, list[str]]:
    """For the folder of each script the folders that it, or a script beside it, adds to where imports are looked for.

    A relative folder counts from the script's own: that is where such scripts are started. What is worked out in another way
    than from constants and from ``__file__`` is left out, and so is what is no folder.
    """
    found: dict[str, list[str]] = {}
    for path in files:
        absolute = os.path.abspath(path)
        try:
            code = path.read_bytes()
            if path.suffix != ".py" or b"sys.path" not in code:
                continue
            tree = ast.parse(code)
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        own = os.path.dirname(absolute)
        for folder in _Script(tree, absolute).folders():
            whole = os.path.normpath(os.path.join(own, folder))
            if whole != own and os.path.isdir(whole) and whole not in found.setdefault(own, []):
                found[own].append(whole)
    return {folder: more for folder, more in found.items() if more}


class _Script:
    """One file."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self.path = path
        self.nodes = list(ast.walk(tree))
        self.bound: dict[str, ast.expr | None] = {}
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                self.bound[name] = None if name in self.bound else node.value  # bound twice: either

    def folders(self) -> Iterator[str]:
        for given in self._given():
            for each in given.elts if isinstance(given, (ast.List, ast.Tuple)) else (given,):
                folder = self._path(each)
                if folder is not None:
                    yield folder

    def _given(self) -> Iterator[ast.expr]:
        """What is added: by a method of ``sys.path``, by ``+=``, or by a function that adds what it is handed."""
        adders: dict[str, int] = {}
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.args]
                for inner in ast.walk(node):
                    added = _added(inner)
                    if isinstance(added, ast.Name) and added.id in names:
                        adders[node.name] = names.index(added.id)
        for node in self.nodes:
            added = _added(node)
            if added is not None:
                yield added
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) > adders.get(node.func.id, 99):
                yield node.args[adders[node.func.id]]

    def _path(self, node: ast.expr | None, depth: int = 0) -> str | None:
        """A path that is written down; None for one that is worked out in another way."""
        if node is None or depth > _DEEPEST:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self.path if node.id == "__file__" else self._path(self.bound.get(node.id), depth + 1)
        if isinstance(node, ast.Attribute):
            inner = self._path(node.value, depth + 1) if node.attr == "parent" else None
            return os.path.dirname(inner) if inner else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
            parts = [self._path(node.left, depth + 1), self._path(node.right, depth + 1)]
            return _joined(parts, "" if isinstance(node.op, ast.Add) else os.sep)
        if isinstance(node, ast.Subscript):
            return self._item(node, depth)
        return self._called(node, depth) if isinstance(node, ast.Call) else None

    def _item(self, node: ast.Subscript, depth: int) -> str | None:
        """``Path(__file__).parents[1]``, ``sys.path[0]``."""
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if type(index) is not int or not isinstance(node.value, ast.Attribute):
            return None
        if _is_path(node.value) and index == 0:
            return os.path.dirname(self.path)
        found = self._path(node.value.value, depth + 1) if node.value.attr == "parents" else None
        for _ in range(index + 1 if 0 <= index < _DEEPEST else 0):
            found = os.path.dirname(found) if found else None
        return found

    def _called(self, node: ast.Call, depth: int) -> str | None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        given = [self._path(each, depth + 1) for each in node.args]
        if name == "join":
            return _joined(given, os.sep)
        if name == "dirname" and len(given) == 1:
            return os.path.dirname(given[0]) if given[0] else None
        if name in ("getcwd", "cwd") and not given:
            return "."
        if name in _SAME and not given and isinstance(node.func, ast.Attribute):
            return self._path(node.func.value, depth + 1)
        return given[0] if name in _SAME and len(given) == 1 else None


def _joined(parts: list[str | None], between: str) -> str | None:
    known = [each for each in parts if each is not None]
    if len(known) != len(parts) or not known:
        return None
    return os.path.join(*known) if between else "".join(known)


def _is_path(node: ast.expr) -> bool:
    """Whether this is ``sys.path``."""
    return isinstance(node, ast.Attribute) and node.attr == "path" and isinstance(node.value, ast.Name) and node.value.id == "sys"


def _added(node: ast.AST) -> ast.expr | None:
    """What a statement or call adds to ``sys.path``."""
    if isinstance(node, ast.AugAssign) and _is_path(node.target):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDS and node.args:
        return node.args[-1] if _is_path(node.func.value) else None
    return None
