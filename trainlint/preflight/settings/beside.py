"""What configurations hold that lie beside the Python: YAML, JSON, TOML; one that Hydra puts together of several."""

# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence
from trainlint.facts.program import Program
from trainlint.preflight.settings.nodes import Held, Keys

#: Files that name files that … are put together.
_DEEPEST = 6
#: Mappings in mappings in …
_INNERMOST = 8
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
    if isinstance(node, Mapping) and len(keys) < _INNERMOST:
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


class _Choice(NamedTuple):
    """A file that the ``defaults`` of another one name: its group from the root on, its name, the package that is said for it."""

    group: str
    name: str
    package: str | None
    overrides: bool


def composed(program: Program, document: Document) -> dict[Keys, Held]:
    """What Hydra makes of a document: of the files that its ``defaults`` name, and of what it says itself."""
    return _composed(program, os.path.dirname(document.path), document, "", (), {}, 0)


def _composed(
    program: Program, root: str, document: Document, group: str, package: Keys, said: dict[str, str], depth: int
) -> dict[Keys, Held]:
    """What a document of a group holds below a package; ``said`` are the files that documents around it want of groups.

    What it says itself is laid over what it names, but where its list has ``_self_`` before.
    """
    found: dict[Keys, Held] = {}
    own = {(*package, *keys): each for keys, each in held_in(document).items() if keys[0] != _DEFAULTS}
    top = document.roots[0] if document.roots else None
    listed = top.at(_DEFAULTS) if isinstance(top, Mapping) else None
    entries = listed.values if isinstance(listed, Sequence) and depth < _DEEPEST else ()
    choices = [each for entry in entries for each in _choices(entry, group)]
    said = {**{each.group: each.name for each in choices if each is not None and each.overrides}, **said}
    is_laid = False
    for each in choices:
        if each is None:
            found.update(own)
            is_laid = True
        elif not each.overrides:
            for ending in (".yaml", ".yml"):
                named = said.get(each.group, each.name).removesuffix(ending) + ending
                other = program.documents.at(os.path.normpath(os.path.join(root, each.group, named)))
                if other is not None:
                    below = _package(other, each, group, package)
                    found.update(_composed(program, root, other, each.group, below, said, depth + 1))
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


def found_from(program: Program, start: str, name: str) -> Document | None:
    """The document that a path in a file names: seen from the file's folder, or from one above it."""
    folder = os.path.dirname(start)
    while folder:
        found = program.documents.at(os.path.normpath(os.path.join(folder, name)))
        above = os.path.dirname(folder)
        if found is not None or len(folder) <= len(program.finder.top) or above == folder:
            return found
        folder = above
    return None
