"""Which files are worth parsing: those with words that a rule needs, and those that such files reach or are reached by.

A file is woken by its own words first. Then to a fixpoint: it is woken when it names a function or class in which
something of interest happens (``from .utils import sync_all`` holds no framework word), or when a woken file imports it
and it holds words of loops (a helper that iterates the loader it is given).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from trainlint.facts.calls import last_name
from trainlint.facts.components import imported, module_of
from trainlint.facts.modules import ModuleFinder
from trainlint.knowledge import Knowledge
from trainlint.model.sketch import Call, Module
from trainlint.model.terms import Term, subterms
from trainlint.model.walk import walk


class Waking:
    """Decides round by round. ``words`` maps every file that is not parsed yet to its identifiers."""

    def __init__(self, words: Mapping[str, frozenset[bytes]], needs: Collection[str], knowledge: Knowledge, finder: ModuleFinder) -> None:
        self.words = dict(words)
        self.finder = finder
        self.hot: set[str] = set()
        for need in needs:
            self.hot.update(word.decode() for word in knowledge.words(need))
        self.secondary = knowledge.words("loop")
        self.common = knowledge.common_methods
        self._functions: list[tuple[str, str | None, frozenset[str]]] = []
        self._imports: set[str] = set()

    def first(self) -> list[str]:
        """The files that hold one of the words themselves."""
        hot = frozenset(word.encode() for word in self.hot)
        return self._take(path for path, words in self.words.items() if not hot.isdisjoint(words))

    def next(self, modules: Iterable[Module]) -> list[str]:
        """The files to wake after these modules were lowered."""
        for module in modules:
            self._note(module)
        fresh = self._heat()
        wanted = frozenset(name.encode() for name in fresh)
        found = [path for path, words in self.words.items() if wanted and not wanted.isdisjoint(words)]
        found += [p for p in self._imports if p in self.words and not self.secondary.isdisjoint(self.words[p])]
        self._imports.clear()
        return self._take(found)

    def _take(self, paths: Iterable[str]) -> list[str]:
        taken = sorted(set(paths))
        for path in taken:
            del self.words[path]
        return taken

    def _note(self, module: Module) -> None:
        for dotted in imported(module):
            path = module_of(self.finder, module.path, dotted)
            if path is not None:
                self._imports.add(path)
        for function in module.functions.values():
            names: set[str] = set()
            for node in walk(function.body):
                if isinstance(node, Call):
                    _names(node.term, names, 3)
            for decorator in function.decorators:
                _names(decorator, names, 2)
            for term in self._kept(function.body):
                _names(term, names, 4)
            if function.name == "<module>":
                for name, term in module.names.items():
                    mentioned: set[str] = set()
                    _names(term, mentioned, 4)
                    self._functions.append((name, None, frozenset(mentioned)))
            cls = function.cls.rpartition(".")[2] if function.cls else None
            self._functions.append((function.name, cls, frozenset(names)))
        for cls_ in module.classes.values():
            bases = frozenset(base for base in map(last_name, cls_.bases) if base is not None)
            self._functions.append((cls_.name, None, bases))

    def _kept(self, block: object) -> Iterable[Term]:
        from trainlint.model.sketch import Exit, Store

        for node in walk(block):  # type: ignore[arg-type]
            if isinstance(node, Exit) and node.value is not None:
                yield node.value
            elif isinstance(node, Store):
                yield node.value

    def _heat(self) -> set[str]:
        """Names of functions and classes that became interesting: something hot is mentioned in them."""
        fresh: set[str] = set()
        changed = True
        while changed:
            changed = False
            cold = []
            for name, cls, mentioned in self._functions:
                if mentioned.isdisjoint(self.hot):
                    cold.append((name, cls, mentioned))
                    continue
                for exported in (name, cls):
                    if exported and exported not in self.hot and exported[0] != "<" and not self._dull(exported):
                        self.hot.add(exported)
                        fresh.add(exported)
                        changed = True
            self._functions = cold
        return fresh

    def _dull(self, name: str) -> bool:
        """Names that say nothing outside their file."""
        return name in self.common or name.startswith("__")


def _names(term: Term, found: set[str], depth: int) -> None:
    """The last names in a term."""
    tag = term[0]
    if tag in ("r", "g", "a"):
        name = last_name(term)
        if name is not None:
            found.add(name)
    elif tag == "c" and term[1] == "str":
        found.add(term[2])
    if depth:
        for part in subterms(term):
            _names(part, found, depth - 1)
