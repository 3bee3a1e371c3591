"""The names of the variables that libraries read, and what is nearly one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trainlint.knowledge import Knowledge

#: The rows of the table that hold names, and what the libraries are called.
LIBRARIES = {"nccl": "NCCL", "torch": "PyTorch", "xla": "XLA and JAX", "cuda": "CUDA"}
#: Names shorter than that are near to too many others.
_SHORTEST, _LONG = 8, 14
#: How many letters may be others.
_MOST = 2
_END = 3
_DIGITS = re.compile(r"\d+")


class Names:
    """What is known of the names; made once for a run."""

    def __init__(self, knowledge: Knowledge) -> None:
        table = knowledge.tables["exported"]
        self.library = {name: title for row, title in LIBRARIES.items() for name in table[row]}
        self._vendors = frozenset(table["vendors"])
        self._by_parts: dict[tuple[str, ...], str] = {}
        self._squeezed: dict[str, str] = {}
        for name in self.library:
            self._by_parts.setdefault(tuple(sorted(name.split("_"))), name)
            self._squeezed.setdefault(name.replace("_", ""), name)
        self._others = frozenset(knowledge.tables["exported.old"])
        self._by_end: dict[str, list[str]] = {}
        for name in self.library:
            for end in _ends(name):
                self._by_end.setdefault(end, []).append(name)

    def meant(self, name: str) -> str | None:
        """The known name that an unknown one is nearly; None for one that is known, or near to none or to several."""
        if name in self.library or name in self._others or len(name) < _SHORTEST or not name.isascii():
            return None
        parts = name.split("_")
        if len(parts) == 1 or not self._vendors.isdisjoint(parts):
            return None
        same = self._by_parts.get(tuple(sorted(parts))) or self._squeezed.get(name.replace("_", ""))
        if same is not None:
            return same
        near = set(self._near(name))
        return near.pop() if len(near) == 1 else None

    def _near(self, name: str) -> Iterator[str]:
        """Those that are one with a name but for one place: either how they begin is the same, or how they end."""
        for end in _ends(name):
            for other in self._by_end.get(end, ()):
                if abs(len(other) - len(name)) <= _MOST and _is_near(name, other):
                    yield other


def _ends(name: str) -> tuple[str, str]:
    return f"{name[:_END]}…", f"…{name[-_END:]}"


def _is_near(name: str, other: str) -> bool:
    """Whether two names are one but for one place, of two letters at most, that is no part of its own and no number."""
    shorter = min(len(name), len(other))
    start = next((at for at in range(shorter) if name[at] != other[at]), shorter)
    most = shorter - start
    end = next((at for at in range(most) if name[-1 - at] != other[-1 - at]), most)
    one, two = name[start : len(name) - end], other[start : len(other) - end]
    longer = max(len(one), len(two))
    if longer > _MOST or _DIGITS.sub("", one) != one or _DIGITS.sub("", two) != two:
        return False
    if longer == _MOST and len(name) < _LONG and one != two[::-1]:
        return False
    whole = (start == 0 or name[start - 1] == "_") and (end == 0 or name[-end] == "_")
    return not (one and two and whole) and "_" not in one + two
