"""Which known key somebody meant who misspelt it: no guess where two are as near, or where it may be a key of somebody's own."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import SequenceMatcher

#: How alike two words are at least of which one is the other, misspelt: `stge` and `stage`, but not `min` and `max`.
_ALIKE = 0.75
#: Letters that a word has at least, if it is to be a misspelt one.
_SHORTEST = 3
_LONGEST = 80
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[A-Za-z\d]+(?:_+[A-Za-z\d]+)*")


def meant(key: str, known: Collection[str]) -> str | None:
    """The one of the known keys that a key is, but for a slip; None when it is none, or may be something else.

    >>> meant("zero_optimzation", ["zero_optimization", "optimizer"])
    'zero_optimization'
    >>> meant("eval_batch_size", ["train_batch_size"])
    """
    if key in known or len(key) > _LONGEST or _WORDS.fullmatch(key) is None:
        return None
    same = [name for name in known if _squeezed(name) == _squeezed(key)]
    found = same or [name for name in known if _is_slip(key, name)]
    return found[0] if len(found) == 1 else None


def _squeezed(key: str) -> str:
    return key.replace("_", "").casefold()


def _is_slip(key: str, name: str) -> bool:
    """Whether they are the same words but for one, which is alike."""
    words, others = key.split("_"), name.split("_")
    if len(words) != len(others) or _DIGITS.findall(key) != _DIGITS.findall(name):
        return False
    pairs = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    return len(pairs) == 1 and _are_alike(*pairs[0])


def _are_alike(word: str, other: str) -> bool:
    if min(len(word), len(other)) < _SHORTEST:
        return False
    if len(word) == len(other) and sorted(word) == sorted(other):
        return sum(one != another for one, another in zip(word, other, strict=True)) == 2  # noqa: PLR2004 - two letters swapped
    return min(SequenceMatcher(None, *pair, autojunk=False).ratio() for pair in ((word, other), (other, word))) >= _ALIKE
