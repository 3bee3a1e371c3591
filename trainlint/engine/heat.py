"""How interest spreads over the project: what mentions something interesting is interesting itself.

What may be of interest has a **key**: ``path:name`` for a top-level name of a file, ``.name`` for a method, and the plain
last name for something of a library. ``=name`` is an attribute that is set somewhere: such a name is evidence and no more,
since any object may have one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple


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
