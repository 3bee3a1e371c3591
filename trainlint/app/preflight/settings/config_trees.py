"""What configurations hold key by key: made in Python, or read from files beside it.

What configurations hold that are made in Python, key by key: ``config.train = ConfigNode()``, ``config.train.clip =
0.0``.

What configurations hold that lie beside the Python: YAML, JSON, TOML; one that Hydra puts together of several.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeGuard

from trainlint.app.preflight.values.words import known, named_by, split
from trainlint.documents.document import Document
from trainlint.documents.tree import Item, Mapping, Node, Scalar, Sequence
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Access, Attr, Call, Const, Dict, Global, Ref, Term
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.program.call_graph import last_name
from trainlint.program.memo import Memo
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, FunctionValue, Library

#: Configurations in configurations in …, and functions that begin with what another one returns.
#: Methods whose result holds the same.
_SAME = frozenset(("clone", "copy", "deepcopy", "copy_and_resolve_references", "FrozenConfigDict", "freeze", "lock"))

#: The names that lead to a value: ``("train", "clip")``.
Keys = tuple[str, ...]


class Held(NamedTuple):
    """A value of a configuration (None where it is not known), and where it stands."""

    value: tuple[object] | None
    module: str
    spot: Spot


def keys_of(term: Term) -> tuple[Keys, Term]:
    """The names that lead to a value, and what they begin at: ``config["train"].clip`` is train, clip of ``config``."""
    found: list[str] = []
    while True:
        if isinstance(term, Access) and (key := named_by(term)) is not None:
            found.append(key)
        elif is_get(term):
            asked = term.args[0]
            assert isinstance(asked, Const)
            found.append(asked.value)
            term = term.callee
            assert isinstance(term, Attr)
        else:
            return tuple(reversed(found)), term
        term = term.base


def is_get(term: Term) -> TypeGuard[Call]:
    """Whether something is asked for by its name, which need not be there: ``config.get("clip", 0.0)``."""
    return bool(
        isinstance(term, Call)
        and isinstance(term.callee, Attr)
        and term.callee.name == "get"
        and term.args
        and isinstance(term.args[0], Const)
        and isinstance(term.args[0].value, str)
    )


#: Words of the project's own classes of configurations.
_CALLED = frozenset(("config", "cfg", "conf", "configuration", "hparams", "params", "options", "settings", "namespace"))


class Nodes:
    """Those of a program: of the top level of files, and what functions return."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._made: dict[int, dict[Term, dict[Keys, Held]]] = {}
        self._returned = Memo[dict[Keys, Held] | None](None)
        self._nodes = frozenset(known(program, "configuration-nodes"))

    def at_top(self, path: str) -> Iterator[dict[Keys, Held]]:
        """What the configurations hold that a file makes at its top level."""
        yield from self._roots(path, self.program.modules[path].functions["<module>"]).values()

    def returned(self, path: str, function: Function) -> dict[Keys, Held] | None:
        """What the configuration holds that a function returns; None if it returns no such thing, or several."""
        return self._returned.ask(id(function), lambda: self._of_return(path, function))

    def _of_return(self, path: str, function: Function) -> dict[Keys, Held] | None:
        returned = self.program.returns(function)
        if len(returned) != 1:
            return None
        roots = self._roots(path, function)
        term = returned[0]
        while term not in roots and isinstance(term, Call) and last_name(term.callee) in _SAME:
            term = (
                term.callee.base
                if isinstance(term.callee, Attr) and not term.args
                else term.args[0]
                if term.args
                else term.callee
            )
        if term in roots:
            return roots[term]
        return self._of_call(path, function, term) if isinstance(term, (Call, Global)) else None

    def of(self, path: str, function: Function, call: Call) -> dict[Keys, Held] | None:
        """What the configuration holds that a call makes."""
        return self._of_call(path, function, call)

    def _roots(self, path: str, function: Function) -> dict[Term, dict[Keys, Held]]:
        """What a function puts into configurations, by the call that makes each of them."""
        if id(function) in self._made:
            return self._made[id(function)]
        found = self._made[id(function)] = {}  # what leads back to itself holds nothing yet
        stores = [
            (node, bool(led))
            for node, led in walk_tested(function.body)
            if isinstance(node, (Store, Keep)) and keys_of(node.target)[0]
        ]
        within: dict[Term, tuple[Term, Keys]] = {}
        for node, _ in stores:
            if isinstance(node.value, Call) and self._is_node(path, function, node.value):
                keys, base = keys_of(node.target)
                within.setdefault(node.value, (base, keys))
        for node, is_tested in stores:
            keys, base = keys_of(node.target)
            seen = {base}
            while base in within and within[base][0] not in seen:
                base, before = within[base]
                more, base = keys_of(base)
                seen.add(base)
                keys = (*more, *before, *keys)
            if not isinstance(base, Call):
                continue
            if base not in found:
                known_of = self._of_call(path, function, base)
                if known_of is None:
                    continue
                found[base] = dict(known_of)
            held = found[base]
            for inner, each in self._of_value(path, function, node.value, node.spot).items():
                # behind a test, it is so or as it was before
                whole = (*keys, *inner)
                old = held.get(whole)
                is_open = is_tested and (old is None or old.value != each.value)
                held[whole] = each._replace(value=None) if is_open else each
        return found

    def _is_node(self, path: str, function: Function, call: Call) -> bool:
        """Whether a call makes a configuration: of a library, or of the project's own class above one of those."""
        for value in self.program.values(call.callee, self.program.frame(path, function)):
            if isinstance(value, Library) and value.name in self._nodes:
                return True
            if not isinstance(value, ClassValue):
                continue
            if any(isinstance(each, Library) and each.name in self._nodes for each in self.program.lineage(value)):
                return True
            if not call.args and not call.kwargs and not value.cls.fields and not _CALLED.isdisjoint(split(value.cls.name)):
                return True  # the project's own: an empty thing that is called a configuration
        return False

    def _of_call(self, path: str, function: Function, call: Call | Global) -> dict[Keys, Held] | None:
        """What a configuration holds as it is made: by its class, or by a function of the project."""
        if isinstance(call, Global):
            named = self.program.modules[path].names.get(call.name)
            top = self.program.modules[path].functions["<module>"]
            return None if named is None else self._roots(path, top).get(named)
        if self._is_node(path, function, call):
            found: dict[Keys, Held] = {}
            for given in call.args[:1]:
                found.update(self._of_value(path, function, given, call.site))
            found.pop((), None)
            return found
        for value in self.program.values(call.callee, self.program.frame(path, function)):
            if isinstance(value, FunctionValue):
                return self.returned(value.module, value.function)
        return None

    def _of_value(self, path: str, function: Function, value: Term, spot: Spot) -> dict[Keys, Held]:
        """What stands below a key: the value itself, or the items of a dict, of a configuration that is made elsewhere."""
        if isinstance(value, Const):
            return {(): Held((value.value,), path, spot)}
        pairs: list[tuple[str, Term]] | None = None
        if isinstance(value, Dict):
            pairs = [
                (each.value, inner) for each, inner in value.items if isinstance(each, Const) and isinstance(each.value, str)
            ]
        elif isinstance(value, Call) and isinstance(value.callee, Ref) and value.callee.name == "builtins.dict":
            pairs = [(name, inner) for name, inner in value.kwargs if name is not None]
        if pairs is not None:
            found: dict[Keys, Held] = {}
            for name, inner in pairs:
                below = self._of_value(path, function, inner, spot)
                found.update(((name, *keys), each) for keys, each in below.items())
            return found
        if isinstance(value, Call):
            made = self._of_call(path, function, value)
            if made is not None:
                return made
        return {(): Held(None, path, spot)}


# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH118, PTH120


#: What leads a text which somebody else fills in.
_OPEN = ("${", "???")
_DEFAULTS = "defaults"
#: What stands for a section with something in it: it is on, and something.
SECTION = "{...}"
#: Where a file of Hydra says what it is put below.
_PACKAGE = re.compile(r"(?m)^# *@package +(\S+)")
#: Of so many keys of a file it is said what they hold, at most: aliases of YAML multiply them.
_MOST_KEYS = 20_000
#: How many keys at the top two configurations of one job have in common, at least.
_ALIKE = 3


def held_in(document: Document) -> dict[Keys, Held]:
    """What a document holds, by the keys that lead to it."""
    found: dict[Keys, Held] = {}
    for root in document.roots[:1]:
        for keys, each in islice(_flat(document.path, root, ()), _MOST_KEYS):
            found[keys[1:] if document.kind == "ini" and keys[0].rstrip("S") == "DEFAULT" else keys] = each
    return found


def _flat(path: str, node: Node, keys: Keys) -> Iterator[tuple[Keys, Held]]:
    if isinstance(node, Mapping):
        if keys and node.items:
            yield keys, Held((SECTION,), path, node.spot)
        for item in node.items:
            known = node.item(str(item.key.value))
            if known is item:
                yield from _flat(path, item.value, (*keys, str(item.key.value)))
    elif isinstance(node, Scalar):
        value = node.value
        is_open = isinstance(value, str) and any(each in value for each in _OPEN)
        yield keys, Held(None if is_open else (value,), path, node.spot)
    elif keys:
        yield keys, Held(None, path, node.spot)


def tree_of(found: dict[Keys, Held], where: Spot) -> Mapping:
    """A mapping of what stands below keys, the other way round of :func:`held_in`; what is not known is a list of nothing."""
    below: dict[str, dict[Keys, Held]] = {}
    for keys, held in found.items():
        if keys:
            below.setdefault(keys[0], {})[keys[1:]] = held
    items = []
    for key, inner in below.items():
        own = inner.get(())
        spot = where if own is None else own.spot
        value: Node = Sequence(spot, ())
        if len(inner) > (own is not None):
            value = tree_of(inner, spot)
        elif own is not None and own.value is not None:
            value = Scalar(spot, own.value[0])  # type: ignore[arg-type]
        items.append(Item(Scalar(spot, key), value))
    return Mapping(where, tuple(items))


class _Choice(NamedTuple):
    """A file that the ``defaults`` of another one name: its group from the root on, its name, the package that is said for it."""

    group: str
    name: str
    package: str | None
    overrides: bool


def composed(program: Program, document: Document) -> dict[Keys, Held]:
    """What Hydra makes of a document: of the files that its ``defaults`` name, and of what it says itself."""
    return _composed(program, os.path.dirname(document.path), _Named(document, "", ()), {}, Memo({}))


class _Named(NamedTuple):
    """A document of a group, and below which package it is put."""

    document: Document
    group: str
    package: Keys


def _composed(
    program: Program, root: str, named: _Named, said: dict[str, str], known: Memo[dict[Keys, Held]]
) -> dict[Keys, Held]:
    """What a document holds; ``said`` are the files that documents around it want of groups.

    What it says itself is laid over what it names, but where its list has ``_self_`` before.
    """
    document, group, package = named
    found: dict[Keys, Held] = {}
    own = {(*package, *keys): each for keys, each in held_in(document).items() if keys[0] != _DEFAULTS}
    top = document.roots[0] if document.roots else None
    listed = top.at(_DEFAULTS) if isinstance(top, Mapping) else None
    entries = listed.values if isinstance(listed, Sequence) else ()
    choices = [each for entry in entries for each in _choices(entry, group)]
    said = {**{each.group: each.name for each in choices if each is not None and each.overrides}, **said}
    is_laid = False
    for each in choices:
        if each is None:
            found.update(own)
            is_laid = True
        elif not each.overrides:
            for ending in (".yaml", ".yml"):
                name = said.get(each.group, each.name).removesuffix(ending) + ending
                other = program.documents.at(os.path.normpath(os.path.join(root, each.group, name)))
                if other is not None:
                    below = _Named(other, each.group, _package(other, each, group, package))
                    question = (other.path, *below[1:], *sorted(said.items()))
                    found.update(known.ask(question, partial(_composed, program, root, below, said, known)))
                    break
    if not is_laid:
        found.update(own)
    return found


def _choices(entry: Node, group: str) -> Iterator[_Choice | None]:
    """What an item of ``defaults`` names; None for the document itself. A group may have a list of files."""
    if isinstance(entry, Scalar) and entry.value == "_self_":
        yield None
    elif isinstance(entry, Scalar) and isinstance(entry.value, str):
        text, _, package = entry.value.partition("@")
        above, _, name = text.rpartition("/")
        whole = above if text.startswith("/") else "/".join(each for each in (group, above) if each)
        yield _Choice(whole.strip("/"), name, package or None, overrides=False)
    elif isinstance(entry, Mapping) and len(entry.items) == 1:
        key, value = str(entry.items[0].key.value), entry.items[0].value
        words, _, package = key.partition("@")
        *before, text = words.split()
        whole = text if text.startswith("/") else "/".join(each for each in (group, text) if each)
        for each in value.values if isinstance(value, Sequence) else (value,):
            if isinstance(each, Scalar) and isinstance(each.value, str):
                yield _Choice(whole.strip("/"), each.value, package or None, "override" in before)


def _package(document: Document, choice: _Choice, group: str, package: Keys) -> Keys:
    """The keys below which a document is put: what is said for it, what its first lines say, or those of its group."""
    header = _PACKAGE.search(document.text[:400])
    text = choice.package or (header.group(1) if header is not None else "_group_")
    if text == "_global_":
        return ()
    if text != "_group_" and choice.package is None:
        return tuple(text.split("."))
    if text != "_group_":
        return tuple(text.removeprefix("_global_.").split(".")) if text.startswith("_global_.") else (*package, *text.split("."))
    inner = choice.group.removeprefix(f"{group}/") if group and choice.group.startswith(f"{group}/") else None
    if choice.group == group:
        return package
    own = tuple(each for each in (choice.group if inner is None else inner).split("/") if each)
    return own if inner is None else (*package, *own)


def like(program: Program, document: Document, keys: Iterable[str]) -> list[Document]:
    """The configurations of the project that look like one of them; ``keys`` are the words that such files have."""
    own = _top(document)
    folder = os.path.relpath(document.path, program.finder.top).partition(os.sep)[0]
    return [
        other
        for other in program.documents.of([key.encode() for key in keys], "yaml", "json")
        if os.path.relpath(other.path, program.finder.top).partition(os.sep)[0] == folder
        if other is document or len(own & _top(other)) >= _ALIKE
    ]


def _top(document: Document) -> frozenset[str]:
    root = document.roots[0] if document.roots else None
    return frozenset(str(item.key.value) for item in root.items) if isinstance(root, Mapping) else frozenset()
