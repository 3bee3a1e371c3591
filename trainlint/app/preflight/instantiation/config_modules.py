"""Which modules of the project a configuration names for whoever imports them: ``import_module(config.trainer.type)``.

The files say so that the lines name by which the job is started, or all those below its script, where no line does:
``trainer: {type: own.trainers.gan}``. What all of them say is so. Of what they say differently each may be meant.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice

from trainlint.app.preflight.values.words import handed, known, named_by
from trainlint.documents.document import Document
from trainlint.documents.tree import mappings
from trainlint.ir.nodes import Access, Attr, Call, Term
from trainlint.ir.sketch import Function, Module
from trainlint.jobs.launch_lines import Launch, named_documents
from trainlint.program.call_graph import last_name
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, FunctionValue, Library

#: Keys, from the outer one on: ``trainer``, ``type``.
Keys = tuple[str, ...]
#: Files that are looked at where no line names one, and keys that tell one value from others.
_MOST, _KEYS = 300, 2
_IMPORT = "import_module"
#: A line of YAML with a dotted name: its key, its value.
_SAID = re.compile(
    r"(?m)^[ \t]{0,80}(?:-[ \t]{1,8})?([A-Za-z_]\w{0,80}):[ \t]{1,8}"
    r"([\"']?)([A-Za-z_]\w{0,80}(?:\.\w{1,80}){1,12})\2[ \t]{0,8}(?:#|\r?$)"
)


class Keyed:
    """Those that a job imports; ``launches`` are the lines that start it."""

    def __init__(self, program: Program, path: str, launches: Iterable[Launch]) -> None:
        self.program = program
        self.path = path
        self.launches = tuple(launches)
        self._known: dict[str, frozenset[str]] = {}
        self._said: dict[Keys, tuple[frozenset[str], ...]] = {}

    @cached_property
    def _documents(self) -> tuple[Document, ...]:
        """The files that the job may be started with: only those that name anything at all."""
        named = {document.path: document for each in self.launches for _, document in named_documents(self.program, each)}
        found = tuple(each for _, each in sorted(named.items()) if _SAID.search(each.text))
        if found:
            return found
        words = [key.encode() for key in known(self.program, "configuration-keys")]
        below = os.path.dirname(self.path) + os.sep  # noqa: PTH120 - documents have their paths as plain strings
        every = (each for each in self.program.documents.of(words, "yaml") if each.path.startswith(below))
        return tuple(each for each in islice(every, _MOST) if _SAID.search(each.text))

    def files(self, here: str) -> frozenset[str]:
        """The modules of the project that a file imports by what any of the files says."""
        if here not in self._known:
            every = (keys for keys in _asked(self.program.modules[here]))
            self._known[here] = frozenset(path for keys in every for some in self._modules(keys) for path in some)
        return self._known[here]

    def made(self, callee: Term) -> Iterator[ClassValue | FunctionValue]:
        """The class or function that a call means, of a module that all files name: ``import_module(cfg.net.type).Net``."""
        if not isinstance(callee, Attr):
            return
        keys = _keys(callee.base)
        said = self._modules(keys) if keys else ()
        for path in sorted(frozenset.intersection(*said)) if said and all(len(each) == 1 for each in said) else ():
            module = self.program.modules[path]
            if callee.name in module.classes:
                yield ClassValue(path, module.classes[callee.name])
            elif callee.name in module.functions:
                yield FunctionValue(path, module.functions[callee.name], None)

    def methods(self, called: Library) -> Iterator[FunctionValue]:
        """The method that is called of an object of such a class, whichever it is: each of them has that one.

        Nothing where classes of that name, imported by other keys, have another one.
        """
        before, _, method = called.name.rpartition(".")
        before, _, name = before.rpartition(".")
        classes = self._classes.get(name, []) if before == f"importlib.{_IMPORT}" else []
        found = [self.program.method(each, method) for each in classes]
        if found and len({None if each is None else id(each[1]) for each in found}) == 1:
            yield from (FunctionValue(*each, None) for each in found[:1] if each is not None)

    @cached_property
    def _classes(self) -> dict[str, list[ClassValue]]:
        """What the classes may be, by name, that the job takes out of such modules; of those that are not all seen nothing."""
        found: dict[str, list[ClassValue]] = {}
        for path in sorted(self.program.modules) if self._documents else ():
            functions = self.program.modules[path].functions.values()
            for name, keys in {(callee.name, _keys(callee.base)) for each in functions for callee in _taken(each)}:
                for each in sorted(frozenset().union(*self._modules(keys))):
                    cls = self.program.modules[each].classes.get(name)
                    found.setdefault(name, []).extend([] if cls is None else [ClassValue(each, cls)])
        return found

    def _modules(self, keys: Keys) -> tuple[frozenset[str], ...]:
        """What each file that says anything of some keys names by them."""
        if keys not in self._said:
            every = (frozenset(self._named(each, keys)) for each in self._documents)
            self._said[keys] = tuple(each for each in every if each)
        return self._said[keys]

    def _named(self, document: Document, keys: Keys) -> Iterator[str]:
        for root in document.roots:
            around = mappings(root) if len(keys) > 1 else islice(mappings(root), 1)
            for each in around:
                name = each.value(*keys)
                path = self.program.finder.find(self.path, name) if isinstance(name, str) and "." in name else None
                if path is not None and path in self.program.modules:
                    yield path


def _asked(module: Module) -> frozenset[Keys]:
    """The keys by which a file imports modules that a configuration names."""
    found = (_keys(call.term) for function in module.functions.values() for call in calls_of(function))
    return frozenset(keys for keys in found if keys)


def _taken(function: Function) -> Iterator[Attr]:
    """What a function calls that is in a module which a configuration names."""
    callees = (each.term.callee for each in calls_of(function))
    return (each for each in callees if isinstance(each, Attr) and _keys(each.base))


def _keys(term: Term) -> Keys:
    """The last keys of what is imported, ``config.trainer.type``; nothing for anything else."""
    name = next(handed(term), None) if isinstance(term, Call) and last_name(term.callee) == _IMPORT else None
    keys: list[str] = []
    while isinstance(name, Access) and (key := named_by(name)) is not None and len(keys) < _KEYS:
        keys.append(key)
        name = name.base
    return tuple(reversed(keys))


def named_modules(modules: Mapping[str, Module], finder: ModuleFinder, texts: Iterable[str]) -> dict[str, list[str]]:
    """The modules that files beside the Python name, for each file that imports by a key of theirs: these belong together."""
    asked = {path: frozenset(keys[-1] for keys in _asked(module)) for path, module in modules.items()}
    asked = {path: keys for path, keys in asked.items() if keys}
    if not asked:
        return {}
    wanted = frozenset.union(*asked.values())
    said = {(key, name) for text in texts for key, _, name in _SAID.findall(text) if key in wanted}
    return {
        path: [name for key, name in sorted(said) if key in keys and finder.find(path, name) in modules]
        for path, keys in asked.items()
    }
