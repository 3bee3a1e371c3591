"""Which files are worth parsing: those that imports connect with a file in which a rule may find something.

A file is *telling* when it holds a word that a rule needs (see ``Rule.needs``). What is found in it may hang on any file that
imports connect with it, in either direction: on a helper without a word of a framework, on an ``__init__.py`` that re-exports a
name, on a caller that turns gradients off. So files are parsed by whole connected parts of the import graph or not at all: what
is found in a part does not depend on which of its files hold which words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from trainlint.facts.components import Components
from trainlint.facts.modules import ModuleFinder
from trainlint.source.triage import Imports


def relevant(telling: Collection[str], imports: Mapping[str, Imports], finder: ModuleFinder) -> list[str]:
    """The files, sorted, that are connected with one that is ``telling``; ``imports`` are those of every file, by its text."""
    components = Components({path: _dotted(found) for path, found in imports.items()}, finder)
    wanted = {components.of(path) for path in telling}
    return sorted(path for path in imports if components.of(path) in wanted)


def _dotted(found: Imports) -> Iterable[str]:
    """The dotted names that a file imports; of a star import the module."""
    for module, names in found:
        for taken in names or ("",):
            yield module if taken in ("", "*") else module + taken if module[-1:] == "." else f"{module}.{taken}"
