"""What is seen of a lowered file when it is decided which others to wake: its names and imports, and what its parts mention.

It is plain data and depends on the file alone (and on which words are asked for), so that it can be kept for the next run.
Mentions are written down **raw**, as texts that begin with what they are: ``"text``, ``gname`` (of the file's own top level),
``.attribute``, ``rdotted.name`` (imported). :class:`Meaning` turns them into the keys of :mod:`trainlint.engine.heat`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from trainlint.engine.heat import Part
from trainlint.facts.components import imported, package_of, split_import
from trainlint.facts.modules import ModuleFinder
from trainlint.facts.tables import enrolling
from trainlint.knowledge.words import COMMENT
from trainlint.model.sketch import Call, Exit, Function, If, Module, Store, Yield
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind

#: How deep into a term a mention counts: what is nested deeper decides nothing.
_IN_CALL, _IN_VALUE, _IN_DECORATOR = 1, 3, 1
#: How many parts of a value are looked at for what it tells of the rank.
_MOST_PARTS = 40
#: What raw mentions begin with.
_TEXT, _OWN, _ATTRIBUTE, _IMPORTED = '"', "g", ".", "r"


class Seen(NamedTuple):
    """One lowered file.

    ``bound`` says which top-level names are imported, and from where; ``dotted`` are all dotted names that it imports, ``stars``
    the modules of which it takes everything; ``enrolled`` the functions that put classes into tables; ``methods`` the keys
    of its methods and of the attributes that it sets. ``happening`` and ``telling`` are its parts, with raw mentions and keys.
    """

    path: str
    bound: dict[str, str]
    dotted: list[str]
    stars: list[str]
    enrolled: list[str]
    methods: list[str]
    happening: list[Part]
    telling: list[Part]


def seen_of(module: Module, words: frozenset[str], common: frozenset[str]) -> Seen:
    """What is seen of a module; texts that are not among the ``words`` are left out, and methods of ``common`` names."""
    mentions = _Mentions(module, words, common)
    return Seen(
        module.path,
        {name: str(term[1]) for name, term in module.names.items() if term[0] == "r"},
        imported(module),
        list(module.stars),
        [function.name for function in enrolling(module)],
        list(mentions.methods()),
        [part for part in mentions.happening() if part.mentions],
        [part for part in mentions.telling() if part.mentions],
    )


def imports_of(module: Module) -> Seen:
    """What a module imports, and nothing else that is seen of it."""
    return Seen(module.path, {}, imported(module), [], [], [], [], [])


class Meaning:
    """What raw mentions mean in one file.

    ``words`` are the last names of libraries' things that are interesting; ``counts`` says whether such a name counts in
    this file, given the dotted name before it (None: an attribute).
    """

    def __init__(self, path: str, finder: ModuleFinder, words: frozenset[str], counts: Callable[[str, str | None], bool]) -> None:
        self.path = path
        self.finder = finder
        self.words = words
        self.counts = counts
        self._known: dict[str, str] = {}

    def parts(self, raw: Iterable[Part]) -> Iterator[Part]:
        """The parts with keys in place of what was raw; those that mention nothing of interest are left out."""
        known = self._known
        for key, method, mentions, word, bases in raw:
            keys = set()
            for mention in mentions:
                found = known.get(mention)
                if found is None:
                    found = known[mention] = self._key(mention)
                if found:
                    keys.add(found)
            if keys:
                yield Part(f"{self.path}:{key[1:]}" if key[:1] == _OWN else key, method, frozenset(keys), word, bases)

    def _key(self, mention: str) -> str:
        tag, name = mention[0], mention[1:]
        if tag == _TEXT:
            return name
        if tag == _OWN:
            return f"{self.path}:{name}"
        if tag == _ATTRIBUTE:
            return mention if self.counts(name, None) else ""
        target, rest = split_import(self.finder, self.path, name)
        if target is None:
            before, _, last = name.rpartition(".")
            return last if last in self.words and self.counts(last, before) else ""
        return f"{target}:{rest[0]}" if rest else ":".join(package_of(target))


class _Mentions:
    """The parts of one lowered file, with raw mentions."""

    def __init__(self, module: Module, words: frozenset[str], common: frozenset[str]) -> None:
        self.module = module
        self.words = words
        self.common = common

    def happening(self) -> Iterator[Part]:
        """Functions, methods, classes and top-level names, with everything that they mention."""
        for name, term in self.module.names.items():
            if term[0] == "g" and term[1] == name:
                continue  # a function or class, which is looked at below
            mentioned: set[str | Term] = set()
            _names(term, mentioned, _IN_VALUE, {})
            yield Part(_OWN + name, None, self._keys(mentioned), bases=term[0] == "r")
        for function in self.module.functions.values():
            top = _top(function.qualname)
            if top[0] != "<":  # what runs on import is nobody's to call
                told = {COMMENT} if any(function.spot.holds(spot) for spot in self.module.meets) else ()
                keys = self._keys(_mentioned(function).union(told))
                yield Part(_OWN + top, self._method(function), keys, self._word(function, top))
        for cls in self.module.classes.values():
            if cls.bases:
                yield Part(_OWN + _top(cls.qualname), None, self._keys(cls.bases), bases=True)

    def telling(self) -> Iterator[Part]:
        """What lets others know which rank this is: what functions return and store.

        Also those that run what they are given, and those that raise or end the process: all of it may depend on the rank.
        """
        for name, term in self.module.names.items():
            yield Part(_OWN + name, None, self._keys(_passed_on(term)))
        stored = self._stored()
        for name, keys in stored.items():
            yield Part("", "=" + name, keys)
        for function in self.module.functions.values():
            told = self._told(function)
            if told:
                key = "" if function.cls else _OWN + _top(function.qualname)
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
                    keys.add(_TEXT + item)
            elif item[0] == "a":
                keys.add(_ATTRIBUTE + str(item[2]))
            elif item[0] in (_OWN, _IMPORTED):
                keys.add(item[0] + str(item[1]))
        return frozenset(keys)


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
