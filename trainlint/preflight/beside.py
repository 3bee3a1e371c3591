"""What configurations hold that lie beside the Python: YAML, JSON, TOML; one that Hydra puts together of several."""

# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence
from trainlint.facts.program import Program
from trainlint.preflight.nodes import Held, Keys

#: Files that name files that … are put together.
_DEEPEST = 4
#: Mappings in mappings in …
_INNERMOST = 8
#: What leads a text which somebody else fills in.
_OPEN = ("${", "???")
_DEFAULTS = "defaults"
#: What stands for a section with something in it: it is on, and something.
SECTION = "{...}"
#: How many keys at the top two configurations of one job have in common, at least.
_ALIKE = 3


def held_in(document: Document) -> dict[Keys, Held]:
    """What a document holds, by the keys that lead to it."""
    found: dict[Keys, Held] = {}
    for root in document.roots[:1]:
        for keys, each in _flat(document.path, root, ()):
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


def composed(program: Program, document: Document, depth: int = 0) -> dict[Keys, Held]:
    """What Hydra makes of a document: of the files that its ``defaults`` name, and of what it says itself."""
    found: dict[Keys, Held] = {}
    root = document.roots[0] if document.roots else None
    own = held_in(document)
    if not isinstance(root, Mapping):
        return own
    listed = root.at(_DEFAULTS)
    folder = os.path.dirname(document.path)
    for each in listed.values if isinstance(listed, Sequence) and depth < _DEEPEST else ():
        if isinstance(each, Scalar) and isinstance(each.value, str) and each.value != "_self_":
            group, _, name = each.value.rpartition("/")
        elif isinstance(each, Mapping) and len(each.items) == 1:
            group, name = str(each.items[0].key.value).rpartition(" ")[2], str(each.value(str(each.items[0].key.value)))
        else:
            continue
        found.update(in_group(program, folder, group, name, depth + 1))
    found.update((keys, each) for keys, each in own.items() if keys[0] != _DEFAULTS)
    return found


def in_group(program: Program, folder: str, group: str, name: str, depth: int = 0) -> dict[Keys, Held]:
    """What the file of a group holds, below the group's own key: ``optim/adam.yaml`` below ``optim``."""
    group, _, package = group.partition("@")
    for ending in (".yaml", ".yml"):
        named = name.removesuffix(ending) + ending
        document = program.documents.at(os.path.normpath(os.path.join(folder, group.lstrip("/"), named)))
        if document is not None:
            is_global = package == "_global_" or "@package _global_" in document.text[:200]
            before = () if is_global else tuple(each for each in (package.split(".") if package else group.split("/")) if each)
            return {(*before, *keys): each for keys, each in composed(program, document, depth).items()}
    return {}


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
