"""What cannot work together: how that is said, and the tables that it is decided by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from trainlint.documents.orders import Order
from trainlint.documents.requirements import Wanted
from trainlint.finding import Spot


class Clash(NamedTuple):
    """What cannot be: the place that is said to be wrong, what is wrong there, and the places that make it so."""

    path: str
    spot: Spot
    message: str
    because: tuple[tuple[str, Spot, str], ...] = ()


class Releases:
    """The tables ``releases`` of the knowledge."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self._tables = tables
        self._read: dict[str, dict[str, list[str]]] = {}

    def of(self, name: str) -> dict[str, list[str]]:
        """One of them, release to what is known of it; a text is a list of one."""
        if name not in self._read:
            table = self._tables[f"releases.{name}"]
            self._read[name] = {key: [value] if isinstance(value, str) else list(value) for key, value in table.items()}
        return self._read[name]


def between(order: Order, wanted: Wanted, other: Wanted, message: str) -> Clash:
    """A package that does not go with another of the same call."""
    return Clash(
        order.document.path, wanted.spot, message, ((order.document.path, other.spot, f"`{said(other)}` is asked for here."),)
    )


def said(wanted: Wanted) -> str:
    """A requirement as it is written, without its extras."""
    return f"{wanted.name}{wanted.versions}"
