"""What importing brings: statements that run, folders on sys.path, registries that fill, sources of frameworks.

What runs because a file is imported: the statements at its top that nothing stands around.

What stands behind a test for ``__main__`` does not run then, nor may what stands behind other tests.

Imports by the path that a project has where its authors keep it: ``lab.video.clips.tools.train`` for
``tools/train.py``.

The folders that scripts add to ``sys.path``, as far as they are written down: by them imports lead on.

The files that fill a registry because they are imported with it: those of the package that it lies in.

Files that are the source of a framework: what its branches may do says nothing of a script that uses it.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Collection, Container, Iterable, Iterator
from pathlib import Path

from trainlint.app.preflight.values.words import known
from trainlint.ir.nodes import Attr, Call, Global, Ref
from trainlint.ir.sketch import CallStep, Function, Module
from trainlint.program.call_graph import last_name
from trainlint.program.imports import imported, module_of
from trainlint.program.memo import Memo
from trainlint.program.program import Program

TOP = "<module>"


def imported_tops(program: Program, script: str, files: Container[str]) -> dict[int, tuple[str, Function]]:
    """The tops (by id) of those of some files that run with a script: it imports them at its top, or they each other."""
    found: dict[int, tuple[str, Function]] = {}
    waiting, seen = [script], {script}
    while waiting:
        here = waiting.pop()
        for target in _runs_with(program, here):
            if target not in seen and target in files and target in program.modules:
                seen.add(target)
                waiting.append(target)
                top = program.modules[target].functions.get(TOP)
                if top is not None:
                    found[id(top)] = (target, top)
    return found


def stands_free(call: CallStep) -> bool:
    """Whether a call at the top of a file is a statement of its own that nothing stands around: no test, no loop, no ``try``.

    What is only kept for somebody, ``SMALL = Config(dtype="bfloat16")``, says nothing of the job: there may be many of them.
    """
    return call.statement.column == 0 and call.term.site == call.statement


def folders_of(path: str) -> Iterator[str]:
    """The folders around a file, from the inside."""
    while path := path.rpartition(os.sep)[0]:
        yield path


def _runs_with(program: Program, path: str) -> Iterator[str]:
    """The files that a file imports at its top: those that the names lead to, and the packages that they lie in."""
    module = program.modules[path]
    for dotted in (*(term.name for term in module.names.values() if isinstance(term, Ref)), *module.stars):
        target = module_of(program.finder, path, dotted)
        if target is None:
            continue
        yield target
        for folder in folders_of(target):
            package = f"{folder}{os.sep}__init__.py"
            if package not in program.modules:
                break
            yield package


# Paths are plain strings here, as the finder of modules has them.
# ruff: noqa: PTH100, PTH118, PTH206


_IMPORT = re.compile(r"^[ \t]{0,16}(?:from|import)[ \t]{1,4}([A-Za-z_][\w.]{0,200})", re.MULTILINE)
#: So many packages stand around the project's own: a library with one of that name has it right below its top.
_LEAST = 2


def internal_paths(scripts: Iterable[Path], files: Iterable[Path], roots: Iterable[str]) -> tuple[str, ...]:
    """What stands before a package of the project in imports that can mean nothing else: ``lab.vision``.

    The script imports the package by its plain name, too; nothing of the project is called as the path begins; and the rest of
    it leads to a file, within the package or, as the package's tools lie beside it, from the folder around.
    """
    known = {os.path.abspath(path) for path in files}
    named = {part.removesuffix(".py") for path in known for part in path.split(os.sep)}
    tops = tuple(dict.fromkeys(os.path.abspath(root) for root in roots))
    found: dict[str, None] = {}
    for script in scripts:
        try:
            names = _IMPORT.findall(script.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
        plain = {name.partition(".")[0] for name in names}
        for name in names:
            parts = name.split(".")
            if parts[0] in named or parts[0] in sys.stdlib_module_names:
                continue
            found.update((path, None) for path in _before(parts, plain, known, tops))
    return tuple(found)


def _before(parts: list[str], plain: set[str], known: set[str], tops: tuple[str, ...]) -> Iterator[str]:
    for index in range(_LEAST, len(parts) - 1):
        if parts[index] not in plain:
            continue
        for top in tops:
            package = os.path.join(top, parts[index])
            rest = parts[index + 1 :]
            if not any(path.startswith(package + os.sep) for path in known):
                continue
            whole = any(_is_file(folder, rest, known) for folder in ((package, top) if len(rest) > 1 else (package,)))
            if whole:
                yield ".".join(parts[:index])


def _is_file(folder: str, names: list[str], known: set[str]) -> bool:
    base = os.path.join(folder, *names)
    return base + ".py" in known or os.path.join(base, "__init__.py") in known


# Paths are plain strings here, as the finder of modules has them.
# ruff: noqa: PTH100, PTH112, PTH118, PTH120


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
            folders = [*_Script(ast.parse(code), absolute).folders()]
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        own = os.path.dirname(absolute)
        for folder in folders:
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
        self._named = Memo[str | None](None)
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

    def _path(self, node: ast.expr | None) -> str | None:
        """A path that is written down; None for one that is worked out in another way."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self.path if node.id == "__file__" else self._named.ask(node.id, lambda: self._path(self.bound.get(node.id)))
        if isinstance(node, ast.Attribute):
            inner = self._path(node.value) if node.attr == "parent" else None
            return os.path.dirname(inner) if inner else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
            parts = [self._path(node.left), self._path(node.right)]
            return _joined(parts, "" if isinstance(node.op, ast.Add) else os.sep)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        return self._called(node) if isinstance(node, ast.Call) else None

    def _item(self, node: ast.Subscript) -> str | None:
        """``Path(__file__).parents[1]``, ``sys.path[0]``."""
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if type(index) is not int or not isinstance(node.value, ast.Attribute):
            return None
        if _is_path(node.value) and index == 0:
            return os.path.dirname(self.path)
        found = self._path(node.value.value) if node.value.attr == "parents" else None
        parents = Path(found).parents if found else ()
        return str(parents[index]) if 0 <= index < len(parents) else None

    def _called(self, node: ast.Call) -> str | None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        given = [self._path(each) for each in node.args]
        if name == "join":
            return _joined(given, os.sep)
        if name == "dirname" and len(given) == 1:
            return os.path.dirname(given[0]) if given[0] else None
        if name in ("getcwd", "cwd") and not given:
            return "."
        if name in _SAME and not given and isinstance(node.func, ast.Attribute):
            return self._path(node.func.value)
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


def fillers(program: Program, files: Iterable[str | None]) -> Iterator[str]:
    """The files of the packages of some files, if these make a registry, that put something in by decorators.

    ``from models.registry import BUILDERS`` runs ``models/__init__.py`` first, and what that imports puts itself in.
    """
    for path in files:
        module = program.modules.get(path or "")
        if module is not None and (own := _registries(module)):
            yield from program.ask_of(_filling, (module.path, own))


def _registries(module: Module) -> frozenset[str]:
    """The names at the top of a file that are registries."""
    return frozenset(
        name
        for name, value in module.names.items()
        if isinstance(value, Call) and (last_name(value.callee) or "").lower().endswith("registry")
    )


def _filling(program: Program, about: tuple[str, frozenset[str]]) -> list[str]:
    """The files of the package of a file that put something into its registries, given by name."""
    path, own = about
    folder = os.path.dirname(path)
    begins = f"{folder}{os.sep}__init__.py"
    near = [each for each in sorted(program.modules) if each.startswith(folder + os.sep) and each != path]
    return [
        each
        for each in (near if begins in program.finder.files else ())
        if _decorates(program.modules[each], own)
        and any(module_of(program.finder, each, dotted) == path for dotted in imported(program.modules[each]))
    ]


def _decorates(module: Module, own: frozenset[str]) -> bool:
    """Whether a decorator of a function or a class is a method of one of some registries."""
    decorators = [term for function in module.functions.values() for term in function.decorators]
    decorators += [term for cls in module.classes.values() for term in cls.decorators]
    for term in decorators:
        callee = term.callee if isinstance(term, Call) else term
        holder = callee.base if isinstance(callee, Attr) else None
        if isinstance(callee, Ref) and callee.name.rpartition(".")[0].rpartition(".")[2] in own:
            return True
        if holder is not None and isinstance(holder, (Global, Ref)) and holder.name.rpartition(".")[2] in own:
            return True
    return False


def frameworks(program: Program) -> frozenset[str]:
    """The packages of the frameworks that may run a loop, and of those that loops are made with, by name."""
    tables = program.knowledge.tables
    names = (*tables["preflight.trains"], *tables["preflight.engines"], *known(program, "packages"))
    return frozenset(name.partition(".")[0] for name in names)


def is_source(program: Program, path: str, script: str, names: Collection[str]) -> bool:
    """Whether a file is the source of a framework (one of some names) in whose repository a script lies, outside of its package.

    A package within another one is the project's own, whatever it is called: ``own/distributed/deepspeed``.
    """
    folder = next((part for part in folders_of(path) if part.rpartition(os.sep)[2] in names), None)
    if folder is None or script.startswith(folder + os.sep) or not _is_package(program, folder):
        return False
    return not any(_is_package(program, part) for part in folders_of(folder))


def _is_package(program: Program, folder: str) -> bool:
    return f"{folder}{os.sep}__init__.py" in program.finder.files
