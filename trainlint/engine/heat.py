"""How interest spreads over the project: what mentions something interesting is interesting itself.

What may be of interest has a **key**: ``path:name`` for a top-level name of a file, ``.name`` for a method, and the plain
last name for something of a library. ``=name`` is an attribute that is set somewhere: such a name is evidence and no more,
since any object may have one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.components import package_of, split_import
from trainlint.facts.modules import ModuleFinder
from trainlint.knowledge.words import COMMENT
from trainlint.model.sketch import Call, Exit, Function, If, Module, Store, Yield
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind

#: How deep into a term a mention counts: what is nested deeper decides nothing.
_IN_CALL, _IN_VALUE, _IN_DECORATOR = 1, 3, 1
#: How many parts of a value are looked at for what it tells of the rank.
_MOST_PARTS = 40


class Part(NamedTuple):
    """A function, class, attribute or top-level name: the keys it is known by elsewhere, and those it mentions.

    ``method`` (as ``.name``, of an attribute ``=name``) counts only when no other class has a method of this name, or no
    other file sets such an attribute: only then it says which is meant. ``word``: of a class, the method that this is about;
    whoever runs it has that word. ``bases``: it is another name of what it mentions, or a class
    that is derived from it: what matters there matters here.
    """

    key: str
    method: str | None
    mentions: frozenset[str]
    word: str | None = None
    bases: bool = False


#: A key that became interesting, and the word (of a method) that must stand beside it; None: it matters by itself.
Fresh = tuple[str, str | None]


class Stars:
    """Which files import everything from a file: who takes a name from them may mean a name of that file."""

    def __init__(self) -> None:
        self._importers: dict[str, list[str]] = {}

    def add(self, target: str, importer: str) -> None:
        """``importer`` says ``from target import *``."""
        self._importers.setdefault(target, []).append(importer)

    def everywhere(self, key: str) -> list[str]:
        """A key, also as the star imports of other files hand it on; nothing for no key."""
        path, colon, name = key.rpartition(":")
        if not colon:
            return [key] if key else []
        paths = [path]
        for path in paths:
            paths += [importer for importer in self._importers.get(path, ()) if importer not in paths]
        return [f"{path}:{name}" for path in paths]


#: What stands beside a key that matters by itself.
_BY_ITSELF = (None,)


class Heat:
    """The interesting keys; they begin with the words of the knowledge tables."""

    def __init__(self, words: Iterable[bytes], stars: Stars, methods: Mapping[str, int]) -> None:
        """``stars`` and ``methods`` (how many classes have a method) may grow between two calls of :meth:`spread`."""
        self.hot = {word.decode() for word in words}
        self.hot.update(["." + word for word in self.hot])
        self.stars = stars
        self.methods = methods
        self._cold: dict[str, list[Part]] = {}
        self._words: dict[str, set[str | None]] = {}
        self._derived: dict[str, list[Part]] = {}

    def spread(self, parts: Iterable[Part], starred: Collection[str]) -> list[Fresh]:
        """What becomes interesting with these parts, and with what is imported by star from the files ``starred``."""
        hot = self.hot
        fresh: list[Fresh] = []
        pending: list[Part] = []
        for part in parts:
            waiting = self._derived if part.bases else self._cold
            for mention in part.mentions:
                waiting.setdefault(mention, []).append(part)
                if mention in hot:
                    pending += _reached(part, self._words.get(mention, _BY_ITSELF))
        if starred:
            pending += [
                Part(key, None, frozenset(), word)
                for key in hot
                if key.rpartition(":")[0] in starred
                for word in self._words.get(key, _BY_ITSELF)
            ]
        while pending:
            part = pending.pop()
            keys = self.stars.everywhere(part.key)
            if part.method is not None and self._says_which(part.method):
                keys.append(part.method)
            for key in keys:
                word = part.word if ":" in key else None
                words = self._words.setdefault(key, set())
                if word in words or None in words:
                    continue
                words.add(word)
                fresh.append((key, word))
                hot.add(key)
                for each in (*self._derived.get(key, ()), *self._cold.get(key, ())):
                    pending += _reached(each, (word,))
        return fresh

    def _says_which(self, method: str) -> bool:
        """Whether a name behind a dot can only mean one thing: no other class has such a method, nor an object such a value."""
        return self.methods[method] == 1 and (method[0] == "=" or not self.methods["=" + method[1:]])


def _reached(part: Part, words: Collection[str | None]) -> Iterator[Part]:
    """A part to which a key leads that is interesting for these words, as often as it is interesting itself."""
    for word in words:
        if part.bases:
            yield part._replace(word=word, bases=False)
        elif word is None or "." + word in part.mentions:
            yield part


class Mentions:
    """The parts of one lowered file.

    ``words`` are the last names of libraries' things that are interesting; ``counts`` says whether such a name counts in
    this file, given the dotted name before it (None: an attribute). ``common`` are method names that say nothing.
    """

    def __init__(
        self,
        module: Module,
        finder: ModuleFinder,
        words: frozenset[str],
        counts: Callable[[str, str | None], bool],
        common: frozenset[str],
    ) -> None:
        self.module = module
        self.finder = finder
        self.words = words
        self.counts = counts
        self.common = common
        self._known: dict[Term, str] = {}

    def happening(self) -> Iterator[Part]:
        """Functions, methods, classes and top-level names, with everything that they mention."""
        path = self.module.path
        for name, term in self.module.names.items():
            if term[0] == "g" and term[1] == name:
                continue  # a function or class, which is looked at below
            mentioned: set[str | Term] = set()
            _names(term, mentioned, _IN_VALUE, {})
            yield Part(f"{path}:{name}", None, self._keys(mentioned), bases=term[0] == "r")
        for function in self.module.functions.values():
            top = _top(function.qualname)
            if top[0] != "<":  # what runs on import is nobody's to call
                told = {COMMENT} if any(function.spot.holds(spot) for spot in self.module.meets) else ()
                keys = self._keys(_mentioned(function).union(told))
                yield Part(f"{path}:{top}", self._method(function), keys, self._word(function, top))
        for cls in self.module.classes.values():
            if cls.bases:
                yield Part(f"{path}:{_top(cls.qualname)}", None, self._keys(cls.bases), bases=True)

    def telling(self) -> Iterator[Part]:
        """What lets others know which rank this is: what functions return and store.

        Also those that run what they are given, and those that raise or end the process: all of it may depend on the rank.
        """
        path = self.module.path
        for name, term in self.module.names.items():
            yield Part(f"{path}:{name}", None, self._keys(_passed_on(term)))
        stored = self._stored()
        for name, keys in stored.items():
            yield Part("", "=" + name, keys)
        for function in self.module.functions.values():
            told = self._told(function)
            if told:
                key = "" if function.cls else f"{path}:{_top(function.qualname)}"
                within = (stored[term[2]] for term in told if type(term) is Term and term[0] == "a" and term[2] in stored)
                yield Part(key, self._method(function), self._keys(told).union(*within))

    def _stored(self) -> dict[str, frozenset[str]]:
        """What the attributes that are set in this file are made of, where that may be of interest."""
        found: dict[str, frozenset[str]] = {}
        for function in self.module.functions.values():
            for node in of_kind(function, Store):
                if node.target[0] == "a":
                    keys = self._keys(_passed_on(node.value))
                    if keys:
                        found[node.target[2]] = found.get(node.target[2], frozenset()) | keys
        return found

    def _told(self, function: Function) -> set[str | Term]:
        """What a function lets others know: what it returns; what it tests, if it runs what it is given or leaves."""
        told: set[str | Term] = set()
        exits = of_kind(function, Exit)
        for left in exits:
            if left.value is not None:
                told |= _passed_on(left.value)
        tests = of_kind(function, If)
        if tests and (
            any(left.kind in ("exit", "raise") for left in exits)
            or bool(of_kind(function, Yield))
            or any(_given(node.term[1]) for node in of_kind(function, Call))
        ):
            told = told.union(*(_passed_on(test.condition) for test in tests))
        return told

    def methods(self) -> Iterator[str]:
        """The keys of all methods, each as often as it is defined, and once of all attributes that are set in this file."""
        every = (node.target for function in self.module.functions.values() for node in of_kind(function, Store))
        yield from {"=" + str(target[2]) for target in every if target[0] == "a"}
        for function in self.module.functions.values():
            method = self._method(function)
            if method is not None:
                yield method

    def _method(self, function: Function) -> str | None:
        if not function.cls or function.name in self.common or function.name.startswith("__"):
            return None
        return "." + function.name

    def _word(self, function: Function, top: str) -> str | None:
        """Of a function in a class, the method: who runs it has that word, but for methods that Python calls."""
        if top not in self.module.classes:
            return None
        name = function.qualname.partition(".")[2].partition(".")[0]
        return name if name and not name.startswith("__") and name[0] != "<" else None  # none: a function named as a class is

    def _keys(self, mentioned: Iterable[str | Term]) -> frozenset[str]:
        keys: set[str] = set()
        for item in mentioned:
            if type(item) is str:
                if item in self.words:
                    keys.add(item)
                continue
            key = self._known.get(item)  # type: ignore[arg-type]
            if key is None:
                key = self._known[item] = self._key(item)  # type: ignore[arg-type,index]
            if key:
                keys.add(key)
        return frozenset(keys)

    def _key(self, term: Term) -> str:
        if term[0] == "g":
            return f"{self.module.path}:{term[1]}"
        if term[0] == "a":
            return "." + str(term[2]) if self.counts(term[2], None) else ""
        if term[0] != "r":
            return ""
        target, rest = split_import(self.finder, self.module.path, term[1])
        if target is None:
            before, _, name = str(term[1]).rpartition(".")
            return name if name in self.words and self.counts(name, before) else ""
        return f"{target}:{rest[0]}" if rest else ":".join(package_of(target))


def _given(callee: Term) -> bool:
    """Whether a call runs something that the function was given: a parameter, or what its object keeps (``self.engine.sync``)."""
    depth = 0
    while callee[0] == "a":
        callee = callee[1]
        depth += 1
    return callee[0] == "p" or (callee[0] == "self" and depth > 1)


def _top(qualname: str) -> str:
    return qualname.partition(".")[0]


def _passed_on(term: Term) -> set[str | Term]:
    """What a value is made of by comparing, choosing and asking; not what a call was given."""
    found: set[str | Term] = set()
    pending = [term]
    for _ in range(_MOST_PARTS):
        if not pending:
            break
        term = pending.pop()
        tag = term[0]
        if tag in ("r", "g", "a"):
            found.add(term)
        elif tag == "c" and term[1] == "str":
            found.add(term[2])
        if tag in ("not", "a", "enter"):
            pending.append(term[1])
        elif tag == "call":
            converts = term[1][0] == "r" and str(term[1][1]).startswith("builtins.")
            pending += (term[1], *(part for part in term[2] if converts or part[0] == "c"))  # os.environ.get("RANK")
        elif tag == "cmp":
            pending += term[2:4]
        elif tag in ("and", "or", "tuple"):
            pending += term[1]
        elif tag == "said":
            found.add(COMMENT)
            pending.append(term[2])
        elif tag in ("if", "slice"):
            pending += term[1:4]
        elif tag == "sub":
            pending += term[1:3]
    return found


def _mentioned(function: Function) -> set[str | Term]:
    """What is mentioned in the calls, kept values and decorators of a function (see :func:`_names`)."""
    names: set[str | Term] = set()
    seen: dict[Term, int] = {}
    for call in of_kind(function, Call):
        _names(call.term, names, _IN_CALL, seen)
    for left in of_kind(function, Exit):
        if left.value is not None:
            _names(left.value, names, _IN_VALUE, seen)
    for kept in of_kind(function, Store):
        _names(kept.value, names, _IN_VALUE, seen)
    for decorator in function.decorators:
        _names(decorator, names, _IN_DECORATOR, seen)
    return names


def _names(term: Term, found: set[str | Term], depth: int, seen: dict[Term, int]) -> None:
    """Add what a term mentions: names and attributes as their terms, texts as they are.

    ``seen`` holds the terms that were looked into before, and how deep. This runs for every call of every woken file:
    hence the order of the tests, and no list of the parts.
    """
    tag = term[0]
    if tag == "r" or tag == "g":  # noqa: PLR1714 - a tuple would be made or hashed each time
        found.add(term)
        return
    if tag == "c":
        if term[1] == "str":
            found.add(term[2])
        return
    if tag == "a":
        found.add(term)
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
