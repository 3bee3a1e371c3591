"""Which files are worth parsing: those with words that a rule needs, and those that such files reach or are reached by.

A file is woken by its own words first. Then to a fixpoint: it is woken when it names a function or class in which
something of interest happens (``from .utils import sync_all`` holds no framework word), or when a woken file imports it
and it holds words of loops (a helper that iterates the loader it is given), or when it names a class of such a file
whose methods only raise (the classes derived from it are elsewhere).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from trainlint.facts.calls import last_name
from trainlint.facts.components import imported, module_of
from trainlint.facts.following import is_abstract
from trainlint.facts.modules import ModuleFinder
from trainlint.knowledge import Knowledge
from trainlint.model.sketch import Call, Exit, Function, Module, Store
from trainlint.model.terms import Term
from trainlint.model.walk import statements_of

#: How many imports a loader is followed through: what makes and hands on data has no words of its own.
_FAR = 5
#: How deep into a term a mention counts: what is nested deeper decides nothing.
_IN_CALL, _IN_VALUE, _IN_DECORATOR = 1, 3, 1


class Waking:
    """Decides round by round. ``words`` maps every file that is not parsed yet to its identifiers."""

    def __init__(
        self, words: Mapping[str, frozenset[bytes]], needs: Collection[str], knowledge: Knowledge, finder: ModuleFinder
    ) -> None:
        self.words = dict(words)
        self.finder = finder
        self.hot: set[str] = set()
        for need in needs:
            self.hot.update(word.decode() for word in knowledge.words(need))
        self.secondary = knowledge.words("loop")
        if "gradient" in needs:  # what training code imports and hands its losses to
            self.secondary |= knowledge.words("meter")
        self.common = knowledge.common_methods
        self._functions: list[tuple[str, str | None, frozenset[str]]] = []
        self._imports: set[str] = set()
        self._abstract: set[str] = set()
        self._far: dict[str, int] = {}
        self._data = knowledge.words("distributed-sampler") - knowledge.words("loop")

    def first(self) -> list[str]:
        """The files that hold one of the words themselves."""
        hot = frozenset(word.encode() for word in self.hot)
        if not self._data.isdisjoint(hot):
            self._far = {path: _FAR for path, words in self.words.items() if not self._data.isdisjoint(words)}
        return self._take(path for path, words in self.words.items() if not hot.isdisjoint(words))

    def next(self, modules: Iterable[Module]) -> list[str]:
        """The files to wake after these modules were lowered."""
        for module in modules:
            self._note(module)
        fresh = self._heat() | self._abstract
        self._abstract = set()
        wanted = frozenset(name.encode() for name in fresh)
        found = [path for path, words in self.words.items() if wanted and not wanted.isdisjoint(words)]
        found += [path for path in self._far if path in self.words]
        found += [p for p in self._imports if p in self.words and not self.secondary.isdisjoint(self.words[p])]
        self._imports.clear()
        return self._take(found)

    def _take(self, paths: Iterable[str]) -> list[str]:
        taken = sorted(set(paths))
        for path in taken:
            del self.words[path]
        return taken

    def _note(self, module: Module) -> None:
        far = self._far.get(module.path, 0) - 1
        for dotted in imported(module):
            path = module_of(self.finder, module.path, dotted)
            if path is not None:
                self._imports.add(path)
                if far > self._far.get(path, 0):
                    self._far[path] = far
        for function in module.functions.values():
            names = _mentioned(function)
            if function.name == "<module>":
                for name, term in module.names.items():
                    mentioned: set[str] = set()
                    _names(term, mentioned, _IN_VALUE, {})
                    self._functions.append((name, None, frozenset(mentioned)))
            cls = function.cls.rpartition(".")[2] if function.cls else None
            self._functions.append((function.name, cls, names))
        for cls_ in module.classes.values():
            if any(is_abstract(module.functions[method]) for method in cls_.methods.values()):
                self._abstract.add(cls_.name)  # what it does stands in the classes derived from it
            bases = frozenset(base for base in map(last_name, cls_.bases) if base is not None)
            self._functions.append((cls_.name, None, bases))

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


def _mentioned(function: Function) -> frozenset[str]:
    """The names that are mentioned in the calls, kept values and decorators of a function."""
    names: set[str] = set()
    seen: dict[Term, int] = {}
    for node in statements_of(function):
        if isinstance(node, Call):
            _names(node.term, names, _IN_CALL, seen)
        elif isinstance(node, (Exit, Store)) and node.value is not None:
            _names(node.value, names, _IN_VALUE, seen)
    for decorator in function.decorators:
        _names(decorator, names, _IN_DECORATOR, seen)
    return frozenset(names)


def _names(term: Term, found: set[str], depth: int, seen: dict[Term, int]) -> None:
    """Add the last names in a term; ``seen`` holds the terms that were looked into before, and how deep.

    This runs for every call of every woken file: hence the order of the tests, and no list of the parts.
    """
    tag = term[0]
    if tag == "r" or tag == "g":  # noqa: PLR1714 - a tuple would be made or hashed each time
        found.add(term[1].rpartition(".")[2])
        return
    if tag == "c":
        if term[1] == "str":
            found.add(term[2])
        return
    if tag == "a":
        found.add(term[2])
    if not depth or seen.get(term, 0) >= depth:
        return
    seen[term] = depth
    depth -= 1
    for part in term:
        if type(part) is Term:
            _names(part, found, depth, seen)
        elif type(part) is tuple:
            for item in part:
                if type(item) is Term:
                    _names(item, found, depth, seen)
                elif type(item) is tuple:
                    for inner in item:
                        if type(inner) is Term:
                            _names(inner, found, depth, seen)
