"""The edits that use a library's thing by its new name: where it stands, and where it is imported."""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

from trainlint.edits import layout
from trainlint.edits.changes import Rename, Renamed, Rewrite
from trainlint.edits.expressions import rewrite
from trainlint.edits.site import Site
from trainlint.finding import Applicability, Edit, Span, Spot

_DOTTED = re.compile(r"[^\W\d]\w*(?:[ \t]*\.[ \t]*[^\W\d]\w*)*")
#: What stands for the name alone.
_NAME = "@"
#: Longer lines are not made; an import that was written in several lines gets as many where one would be longer than this.
_WIDEST, _WIDE = 130, 88
#: What looks up the names of a module by texts.
_BY_NAME = ("eval", "exec", "globals")


class _Refused(Exception):
    """The change cannot be made in this file."""


class _Bound(NamedTuple):
    """A place whose name begins with ``name``, which an import binds to ``old``: that becomes ``new``, before ``rest``."""

    place: Renamed
    name: str
    old: str
    new: str
    rest: str


def rename(site: Site, change: Rename) -> tuple[Edit, ...] | None:
    """Edits for ``Rename``; None when it is refused."""
    try:
        return tuple(sorted(_edits(site, change), key=lambda edit: edit.span))
    except _Refused:
        return None


def _edits(site: Site, change: Rename) -> list[Edit]:
    kept = _kept(site, change.place)
    if kept is not None:
        return [*_placed(site, change.place, kept)]
    bound = _bound(site, change.place)
    if bound is None or "." not in bound.old:
        if change.library is None:
            raise _Refused
        return [*_placed(site, change.place, f"{change.library}.{change.place.new.partition('.')[2]}")]
    statement = next((spot for name, dotted, spot in change.imports if name == bound.name and dotted == bound.old), None)
    if statement is None:
        raise _Refused
    given = {name: dotted for name, dotted, spot in change.imports if spot == statement}
    everywhere = [found for found in (_bound(site, place) for place in (change.place, *change.others)) if found is not None]
    moved: dict[str, list[_Bound]] = {}
    for each in everywhere:
        if given.get(each.name) == each.old:
            moved.setdefault(each.name, []).append(each)
    names = _names_in(site.source.code)
    whole = {name: all_ for name, all_ in moved.items() if _moves(name, all_, names.plain)}
    if bound.name not in whole:
        raise _Refused
    imports, renamed = _imported(site, statement, {name: all_[0].new for name, all_ in whole.items()})
    for old, new in renamed.items():
        if old != new and (names.plain[new] or names.typed[new] or names.typed[old]):
            raise _Refused
    edits = list(imports)
    for name, all_ in whole.items():
        for each in all_:
            edits += _placed(site, each.place, renamed[name] + each.rest)
    return edits


def _kept(site: Site, place: Renamed) -> str | None:
    """The new name where it begins as the old one does: with a module (``nn.init``) or the library; None where it does not."""
    if place.binds is not None:
        return None
    written, old = _written(site, place.spot), place.old.split(".")
    rest = len(written) - 1
    before = ".".join(old[: len(old) - rest])
    if not 0 < rest < len(old) or written[1:] != old[-rest:] or not place.new.startswith(f"{before}."):
        return None
    return f"{written[0]}{place.new.removeprefix(before)}"


def _moves(name: str, places: Sequence[_Bound], counts: Counter[str]) -> bool:
    """Whether a name stands nowhere but in its import and in these places, all of which move it to the same thing."""
    if all(each.place.same and each.new.rpartition(".")[2] == name for each in places):
        return len({each.new for each in places}) == 1
    written = sum(each.place.binds is None for each in places)
    if not written or any(counts[reader] for reader in _BY_NAME):
        return False  # other files may import the name from here, or this one look it up by a text
    return counts[name] == written + 1 and len({each.new for each in places}) == 1


def _bound(site: Site, place: Renamed) -> _Bound | None:
    """What the first part of the name at a place stands for, and what it becomes; None where the new name does not fit."""
    if place.binds is not None:
        return _Bound(place, place.binds, place.old, place.new, "")
    written = _written(site, place.spot)
    old, new = place.old.split("."), place.new.split(".")
    rest = len(written) - 1
    if rest >= len(old) or (rest and written[1:] != old[-rest:]):
        raise _Refused
    before = ".".join(old[: len(old) - rest])
    after = ".".join(new[: len(new) - rest])
    if "." in before and ("." not in after or (rest and new[-rest:] != old[-rest:])):
        return None  # `cuda.amp.autocast` of `from torch import cuda`
    return _Bound(place, written[0], before, after, "".join(f".{part}" for part in new[len(new) - rest :]))


def _written(site: Site, spot: Spot) -> list[str]:
    span = site.source.span(spot)
    match = _DOTTED.match(layout.line(site.source, span.line), span.column - 1)
    if match is None:
        raise _Refused
    return [part.strip() for part in match[0].split(".")]


def _placed(site: Site, place: Renamed, name: str) -> tuple[Edit, ...]:
    if place.binds is not None:
        return ()
    if place.code == _NAME:
        return (_renamed(site, place.spot, name),)
    there = site.at(place.spot)
    written = Rewrite(Applicability.DISPLAY, "", place.spot, place.code.replace("@", name), place.paths)
    edits = rewrite(there, written) if there is not None else None
    if edits is None:
        raise _Refused
    return edits


def _renamed(site: Site, spot: Spot, name: str) -> Edit:
    """The edit of the name alone, where it stands on one line."""
    span = site.source.span(spot)
    match = _DOTTED.match(layout.line(site.source, span.line), span.column - 1)
    if match is None:
        raise _Refused
    return Edit(Span(span.line, span.column, span.line, match.end() + 1), name)


def _imported(site: Site, statement: Spot, moved: dict[str, str]) -> tuple[tuple[Edit, ...], dict[str, str]]:
    """The edits of an import some of whose names move, and what each of these is called from then on."""
    there = site.at(statement)
    span = site.source.span(statement)
    node = there.tree.small(span) if there is not None else None
    if there is None or not isinstance(node, (cst.Import, cst.ImportFrom)) or isinstance(node.names, cst.ImportStar):
        raise _Refused
    aliases = [_Alias.of(alias) for alias in node.names]
    called = {
        alias.bound: alias.bound if alias.renamed else moved[alias.bound].rpartition(".")[2]
        for alias in aliases
        if alias.bound in moved
    }
    if isinstance(node, cst.Import):
        return (Edit(span, _import(moved, aliases)),), called
    modules = {dotted.rpartition(".")[0] for dotted in moved.values()}
    if len(moved) == len(aliases) and len(modules) == 1 and node.module is not None:
        edits = [Edit(there.tree.span(node.module), modules.pop())]
        for alias, found in zip(node.names, aliases, strict=True):
            last = moved[found.bound].rpartition(".")[2]
            if last != found.name:
                edits.append(Edit(there.tree.span(alias.name), last))
        return tuple(edits), called
    return (_split(there, span, node, aliases, moved),), called


class _Alias(NamedTuple):
    """One name of an import: what it is, what it is bound to, and whether that was said with ``as``."""

    name: str
    bound: str
    renamed: bool

    @staticmethod
    def of(alias: cst.ImportAlias) -> _Alias:
        name = alias.evaluated_name
        said = alias.evaluated_alias
        return _Alias(name, said or name, said is not None)

    def text(self, name: str) -> str:
        return f"{name} as {self.bound}" if self.renamed else name


def _import(moved: dict[str, str], aliases: Sequence[_Alias]) -> str:
    """``import torch.cuda.amp as amp``."""
    if len(aliases) != 1 or not aliases[0].renamed:
        raise _Refused
    return f"import {moved[aliases[0].bound]} as {aliases[0].bound}"


def _split(site: Site, span: Span, node: cst.ImportFrom, aliases: Sequence[_Alias], moved: dict[str, str]) -> Edit:
    """The import in two or more, each on a line of its own."""
    source = site.source
    text = "\n".join(source.lines[span.line - 1 : span.end_line])
    if node.module is None or "#" in text or not layout.starts_line(source, span) or layout.rest(source, span) != "":
        raise _Refused
    old = cst.Module([]).code_for_node(node.module)
    by_module: dict[str, list[str]] = {old: [alias.text(alias.name) for alias in aliases if alias.bound not in moved]}
    for alias in aliases:
        if alias.bound in moved:
            module, _, last = moved[alias.bound].rpartition(".")
            by_module.setdefault(module, []).append(alias.text(last))
    lines: list[str] = []
    for module, names in by_module.items():
        one = f"from {module} import {', '.join(names)}"
        several = span.end_line > span.line and len(one) > _WIDE
        lines += [f"from {module} import (", *(f"    {name}," for name in names), ")"] if several else [one] * bool(names)
    if max(map(len, lines)) > _WIDEST:
        raise _Refused
    return Edit(span, (source.newline + layout.indent(source, span.line)).join(lines))


class _Names(NamedTuple):
    """How often each name stands in a file, by what it is there for: for types (annotations, ``isinstance``), or for more."""

    plain: Counter[str]
    typed: Counter[str]


@functools.lru_cache(maxsize=4)
def _names_in(code: str) -> _Names:
    """The names of a file; a text that is no more than a name counts, too."""
    found = _Names(Counter(), Counter())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pending: list[tuple[ast.AST, bool]] = [(ast.parse(code), False)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _Refused from None
    while pending:
        node, typed = pending.pop()
        (found.typed if typed else found.plain).update(_said(node))
        types = _types(node)
        pending += [(child, typed or child in types) for child in ast.iter_child_nodes(node)]
    return found


def _said(node: ast.AST) -> list[str]:
    """The names that a node itself holds."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.alias):
        return [node.asname or node.name.partition(".")[0]]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return list(node.names)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


def _types(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that name types."""
    found = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
        found += node.args[1:]
    return [each for each in found if isinstance(each, ast.AST)]
