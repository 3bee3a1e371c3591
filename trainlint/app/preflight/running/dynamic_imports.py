"""Which files a file names by texts: ``import_module("models." + name)``, and ``"training.loss.Loss"`` for whoever makes it.

A text that is put together names all files that fit. It leaves open which of them, unless they come from a listing of a folder
of the project: what is listed is imported, all of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.app.preflight.commands import named_scripts
from trainlint.app.preflight.values.words import handed, terms_of
from trainlint.ir.nodes import Attr, BinOp, Call, Composite, Const, Global, Kwargs, Param, SequenceDisplay, Term
from trainlint.ir.sketch import Function, Module
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import last_name
from trainlint.program.imports import ModuleFinder, split_import
from trainlint.program.program import Program, calls_of

_IMPORTS = frozenset(("import_module", "__import__"))
#: What lists the files of a folder; a project's own function for it is mostly called the same.
_LISTS = frozenset(("listdir", "scandir", "walk", "glob", "iglob", "rglob", "iterdir", "iter_modules", "walk_packages"))
#: What a file knows of where it lies.
_OWN = frozenset(("__file__", "__path__", "__name__", "__package__"))
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
#: What stands for a value in a text that is filled in: ``%s``, ``{}``, ``{name}``.
_HOLE = re.compile(r"%[-+ #0-9.]*[a-z]|\{[^{}]*\}")

#: Functions of a file that hand on a name, one to the other.
_CALLERS = 3

#: A text, piece by piece; None for what is only known when it runs.
Pieces = tuple[str | None, ...]


class Named(NamedTuple):
    """What a file names: files, by the dotted names that lead to them.

    ``imported`` are those that it imports by texts, ``classes`` those of the classes and functions whose names stand in it.
    """

    imported: dict[str, str]
    classes: dict[str, str]

    @property
    def files(self) -> frozenset[str]:
        """All files."""
        return frozenset((*self.imported.values(), *self.classes.values()))


class Names:
    """The texts of some files; each file is looked at once."""

    def __init__(self, modules: Mapping[str, Module], finder: ModuleFinder) -> None:
        self.modules = modules
        self.finder = finder
        self._known: dict[str, Named] = {}

    def of(self, path: str) -> Named:
        """What a file names."""
        if path not in self._known:
            functions = self.modules[path].functions.values()
            found = (each for function in functions for call in calls_of(function) for each in self._imported(path, call.term))
            self._known[path] = Named(dict(found), dict(self._classes(path)))
        return self._known[path]

    def is_settled(self, path: str, function: Function, term: Call) -> bool:
        """Whether nothing is open about what a call imports: the name is written down, or all of a folder is listed.

        Which folder is listed has to be known, and that any of its files is there.
        """
        if last_name(term.callee) not in _IMPORTS:
            return False
        pieces = self._name(path, term)
        if not any(self._imported(path, term)):
            return None not in pieces and bool(pieces)  # one of a library
        if None not in pieces:
            return True
        parts = [*term.args, *(value for _, value in term.kwargs)]
        parts += [piece for part in parts_of(*parts) for piece in part.pieces]
        if any(isinstance(part, (Param, Kwargs)) for part in parts_of(*parts)):
            return False  # somebody else says it
        return any(
            last_name(call.term.callee) in _LISTS and self._is_own(path, *handed(call.term), call.term.callee)
            for call in calls_of(function)
        )

    def is_within(self, path: str, term: Call) -> bool:
        """Whether what a call imports is a file of the project whatever the name: ``f"project.models.{name}"``.

        Nothing that no file has is hidden by it.
        """
        if last_name(term.callee) not in _IMPORTS or not any(self._imported(path, term)):
            return False
        start = (self._name(path, term) or (None,))[0] or ""
        package = start.rpartition(".")[0]
        if start.startswith("."):
            return True
        found = self.finder.find(path, package) if package else None
        return found is not None or any(dotted.startswith(f"{package}.") for dotted, _ in self._imported(path, term) if package)

    def _is_own(self, path: str, *terms: Term) -> bool:
        """Whether a file speaks of where it lies itself."""
        names = self.modules[path].names
        parts = list(parts_of(*terms))
        parts += parts_of(*(names[part.name] for part in parts if isinstance(part, Global) and part.name in names))
        return any(isinstance(part, Global) and part.name in _OWN for part in parts)

    # -- imports ---------------------------------------------------------------------------------------------------

    def _imported(self, path: str, term: Call, depth: int = 0) -> Iterator[tuple[str, str]]:
        """The files that fit what a call imports, each with its dotted name."""
        if last_name(term.callee) not in _IMPORTS:
            return
        pieces = self._name(path, term)
        start = pieces[0] if pieces else None
        if start is None and depth < _CALLERS:
            for given in self._given(path, term):
                yield from self._imported(path, Call.new(term.callee, (given,), (), term.site), depth + 1)
        if start is None or (None in pieces and "." not in start):
            return  # anything would fit
        dots = start[: len(start) - len(start.lstrip("."))]
        name = ("".join(each if each is not None else "\0" for each in pieces)).lstrip(".")
        if None not in pieces:
            found = self.finder.find(path, dots + name)
            if found is not None and found in self.modules:
                yield dots + name, found
            return
        fits = re.compile(r"(?:.*/)?(" + re.escape(name.replace(".", "/")).replace("\0", "[^/]+") + r")(?:/__init__)?\.py")
        for each in sorted(self.modules):
            match = fits.fullmatch(each.replace(os.sep, "/"))
            dotted = dots + match.group(1).replace("/", ".") if match is not None else ""
            if match is not None and self.finder.find(path, dotted) == each != path:
                yield dotted, each

    def _given(self, path: str, term: Call) -> Iterator[Term]:
        """What the file's own calls of a function hand it for the parameter that it imports by."""
        parameter = next(handed(term), None)
        if not isinstance(parameter, Param):
            return
        function = self.modules[path].functions.get(parameter.function)
        if function is None or function.cls is not None or parameter.name not in function.parameters:
            return
        index = function.parameters.index(parameter.name)
        for each in self.modules[path].functions.values():
            for call in calls_of(each) if each is not function else ():
                if last_name(call.term.callee) == function.name:
                    given = dict(call.term.kwargs).get(parameter.name)
                    yield from (() if given is None else (given,))
                    yield from call.term.args[index : index + 1]

    def _name(self, path: str, term: Call) -> Pieces:
        """The name that a call imports, with the package that it is relative to."""
        given = {str(keyword): value for keyword, value in term.kwargs if keyword}
        first = term.args[0] if term.args else given.get("name")
        if first is None:
            return ()
        pieces = _joined(self._pieces(path, first))
        package = term.args[1] if len(term.args) > 1 else given.get("package")
        if package is None or last_name(term.callee) != "import_module" or not pieces or not (pieces[0] or "").startswith("."):
            return pieces
        within = _joined(self._pieces(path, package))
        return pieces if within in ((), (None,)) else _joined((*within, *pieces))

    def _pieces(self, path: str, term: Term, depth: int = 0) -> Pieces:
        module = self.modules[path]
        if depth > 12:  # noqa: PLR2004 - names are not put together from more
            return (None,)
        if isinstance(term, Const):
            return (term.value,) if isinstance(term.value, str) else (None,)
        if isinstance(term, Global) and term.name in ("__name__", "__package__"):
            return ("",)  # followed by a dot: the way from here
        if isinstance(term, Global) and term.name in module.names and term.name not in module.rebound:
            return self._pieces(path, module.names[term.name], depth + 1)
        if isinstance(term, Composite):
            return tuple(piece for part in term.pieces for piece in self._pieces(path, part, depth + 1))
        if isinstance(term, BinOp) and term.op == "Add":
            return (*self._pieces(path, term.left, depth + 1), *self._pieces(path, term.right, depth + 1))
        if isinstance(term, BinOp) and term.op == "Mod":
            return _filled(term.left)
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == "format":
            return _filled(term.callee.base)
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == "join" and len(term.args) == 1:
            return self._listed(path, term.callee.base, term.args[0], depth)
        if isinstance(term, Attr):
            return (self._default(path, term.name),)
        return (None,)

    def _default(self, path: str, name: str) -> str | None:
        """What an option of a command line is that a file declares itself, unless somebody says it: ``FLAGS.model``."""
        for function in self.modules[path].functions.values():
            for call in calls_of(function):
                flags = [each.value for each in call.term.args if isinstance(each, Const)]
                if last_name(call.term.callee) == "add_argument" and f"--{name}" in flags:
                    default = dict(call.term.kwargs).get("default")
                    return default.value if isinstance(default, Const) and isinstance(default.value, str) else None
        return None

    def _listed(self, path: str, between: Term, items: Term, depth: int) -> Pieces:
        """``".".join(["models", name])``."""
        if not isinstance(between, Const) or not isinstance(between.value, str) or not isinstance(items, SequenceDisplay):
            return (None,)
        found: list[str | None] = []
        for item in items.items:
            found += [*([between.value] if found else ()), *self._pieces(path, item, depth + 1)]
        return tuple(found)

    # -- classes ---------------------------------------------------------------------------------------------------

    def _classes(self, path: str) -> Iterator[tuple[str, str]]:
        """The files of the project, and of its classes and functions, whose whole names stand in a file."""
        seen = set()
        for function in self.modules[path].functions.values():
            for part in parts_of(*terms_of(function), *function.defaults.values()):
                if not isinstance(part, Const) or not isinstance(part.value, str) or part.value in seen:
                    continue
                seen.add(part.value)
                if "." in part.value and _DOTTED.fullmatch(part.value):
                    where, rest = split_import(self.finder, path, part.value)
                    module = self.modules.get(where or "")
                    own = {} if module is None else {**module.classes, **module.functions}
                    if module is not None and (not rest or (len(rest) == 1 and rest[0] in own)):
                        yield part.value, module.path


def _filled(text: Term) -> Pieces:
    """A text with holes."""
    if not isinstance(text, Const) or not isinstance(text.value, str):
        return (None,)
    found: list[str | None] = []
    end = 0
    for hole in _HOLE.finditer(text.value):
        found += [text.value[end : hole.start()], None]
        end = hole.end()
    return (*found, text.value[end:])


def _joined(pieces: Pieces) -> Pieces:
    """The same with as few pieces as there can be."""
    found: list[str | None] = []
    for piece in pieces:
        if piece is not None and found and found[-1] is not None:
            found[-1] += piece
        elif piece != "" and not (piece is None and found and found[-1] is None):
            found.append(piece)
    return tuple(found)


def names(program: Program) -> Names:
    """What the files of a program name by texts."""
    return Names(program.modules, program.finder)


def texts(modules: Mapping[str, Module], finder: ModuleFinder) -> dict[str, list[str]]:
    """The dotted names by which files are named in texts: whoever does so belongs together with them."""
    named = Names(modules, finder)
    return {
        path: [
            *named.of(path).imported,
            *named.of(path).classes,
            *_configurations(modules, finder, path),
            *named_scripts(modules[path]),
        ]
        for path in modules
    }


def _configurations(modules: Mapping[str, Module], finder: ModuleFinder, path: str) -> Iterator[str]:
    """The configurations in Python of which a command line names one, where a file declares such an option."""
    functions = modules[path].functions.values()
    if not any(last_name(call.term.callee) == "DEFINE_config_file" for function in functions for call in calls_of(function)):
        return
    for other in sorted(modules):
        if "get_config" not in modules[other].functions:
            continue
        parts = os.path.relpath(other, os.path.dirname(path)).removesuffix(".py").split(os.sep)  # noqa: PTH120, PTH206
        dotted = "." * (1 + parts.count(os.pardir)) + ".".join(part for part in parts if part != os.pardir)
        if finder.find(path, dotted) == other:
            yield dotted
