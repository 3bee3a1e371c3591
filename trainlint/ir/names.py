"""What terms are called."""

from __future__ import annotations

from trainlint.ir.nodes import NAMED, Attr, Const, Ref, Term


def chain_of(term: Term) -> tuple[str, ...]:
    """The names of attributes, from the outermost object on: ``config.DATA.SIZE`` is DATA, SIZE."""
    names: list[str] = []
    while isinstance(term, Attr):
        names.append(term.name)
        term = term.base
    return tuple(reversed(names))


def root_of(term: Term) -> Term:
    """What a chain of attributes begins with."""
    while isinstance(term, Attr):
        term = term.base
    return term


def dotted_name(term: Term) -> str | None:
    """The dotted name of something that is imported, or an attribute of it."""
    root = root_of(term)
    return ".".join((root.name, *chain_of(term))) if isinstance(root, Ref) else None


def text_of(term: Term) -> str | None:
    """A text that is written down, or the name by which a term goes."""
    said = term.value if isinstance(term, Const) else term.name if isinstance(term, NAMED) else None
    return said if isinstance(said, str) else None
