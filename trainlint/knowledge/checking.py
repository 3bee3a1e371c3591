"""Which entries of knowledge tables make sense: for what users and other packages write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trainlint.codes import INSTALLED
from trainlint.knowledge.load import shipped

#: What a rank table may say of a value.
RANK_WORDS = frozenset(("rank", "local_rank", "node_rank", "world", "main", "local_main", "last", "yes", "uniform", "per-rank"))
#: The tables of whose values more is known than their type.
_KINDS = {
    **dict.fromkeys(("ranks", "ranks.conventions", "environment", "decorators"), "rank"),
    **dict.fromkeys(("lengths", "files.strict", "step_calls.bounds"), "count"),
    "propagation": "flows",
    "methods": "common",
}
#: A step of a path in the table ``propagation``, and an entry of it.
STEP = re.compile(r"\[(?:[*?ikn]|name|=?\d+)\]|\.\w+|\([n*]\[i\]\)|\((?:with)?\)")
FLOW = re.compile(rf"(else )?(\d+|n|name|self)((?:{STEP.pattern})*) -> (result|self|\d+(?=\[))((?:{STEP.pattern})*)")


def mistakes(tables: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong in tables that a user wrote: the dotted key, and a predicate of it ("must be a string")."""
    kinds = kinds_of(shipped())
    for name, table in flat(tables):
        kind = kinds.get(name) or ("str" if name.partition(".")[0].upper() in INSTALLED.prefixes else None)
        if kind is None:
            yield name, f"there is no such table{_nearest(name, list(kinds))}"
        elif not isinstance(table, Mapping):
            yield name, "must be a table"
        else:
            for key, value in table.items():
                message = _mistake(kind, key, value)
                if message is not None:
                    quoted = key if key.isidentifier() else f'"{key}"'
                    yield f"{name}.{quoted}", message


def kinds_of(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """By its name what may stand in each table: what stands in it. One with nothing but ``names`` holds that one list."""
    return {name: _KINDS.get(name) or _kind(table) for name, table in tables.items()}


def _kind(table: Mapping[str, Any]) -> str:
    first = next(iter(table.values()))
    return "names" if table.keys() == {"names"} else "list" if isinstance(first, list) else type(first).__name__


def flat(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The tables with their names, ``ranks.conventions`` as a table of its own."""
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            yield name, table
            continue
        inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
        for key, value in inner.items():
            yield f"{name}.{key}", value
        if len(inner) < len(table) or not inner:
            yield name, {key: value for key, value in table.items() if key not in inner}


def _mistake(kind: str, key: str, value: Any) -> str | None:
    """What is wrong with one entry of a table of this kind; None when nothing is."""
    if kind in ("names", "common") and key != kind:
        return f'there is no such key; did you mean "{kind}"?'
    if kind in ("names", "common", "list"):
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if fits else "must be a list of strings"
    if kind == "flows":
        fits = isinstance(value, list) and all(isinstance(item, str) and FLOW.fullmatch(item) for item in value)
        return None if fits else 'must be a list of entries such as "n[i] -> result[i][n]"'
    if kind == "count":
        return None if isinstance(value, int) and not isinstance(value, bool) and value > 0 else "must be a positive number"
    if kind == "int":
        fits = isinstance(value, int) and not isinstance(value, bool)
        return None if fits else "must be the position of the group argument (-1: there is none)"
    if not isinstance(value, str):
        return "must be a string"
    if kind == "rank" and value not in RANK_WORDS:
        return f"must be one of {', '.join(sorted(RANK_WORDS))}, not {value}{_nearest(value, sorted(RANK_WORDS))}"
    return None


def _nearest(word: str, known: Sequence[str]) -> str:
    from trainlint.config.errors import did_you_mean  # what ships has no mistakes

    return did_you_mean(word, known)
