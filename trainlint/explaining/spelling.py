"""Terms and places as a person reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from trainlint.engine.workspace import Workspace
from trainlint.explaining.account import At
from trainlint.finding import Spot
from trainlint.model.terms import Term

#: The parser's class of an operator → the operator.
SIGNS = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in",
    "NotIn": "not in", "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
    "BitAnd": "&", "BitOr": "|",
}  # fmt: skip
_LONGEST = 120
_DEEPEST = 8


def spelled(term: Term) -> str:
    """A term as Python would be written, with names followed to where they come from; cut when it is very long."""
    text = _spelled(term)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _spelled(term: Term, deep: int = 0) -> str:
    if deep > _DEEPEST:
        return "..."
    write = _WRITTEN.get(term[0])
    return write(term, deep + 1) if write is not None else "..."


def _call(term: Term, deep: int) -> str:
    given = [_spelled(part, deep) for part in term[2]]
    given += [f"{name}={_spelled(value, deep)}" if name else f"**{_spelled(value, deep)}" for name, value in term[3]]
    return f"{_spelled(term[1], deep)}({', '.join(given)})"


def _display(left: str, right: str) -> Callable[[Term, int], str]:
    return lambda term, deep: f"{left}{', '.join(_spelled(part, deep) for part in term[1])}{right}"


def _joined(term: Term, deep: int) -> str:
    return f" {term[0]} ".join(_inner(part, deep) for part in term[1])


def _operation(term: Term, deep: int) -> str:
    return f"{_inner(term[2], deep)} {SIGNS.get(term[1], term[1])} {_inner(term[3], deep)}"


def _dict(term: Term, deep: int) -> str:
    return "{" + ", ".join(f"{_spelled(key, deep)}: {_spelled(value, deep)}" for key, value in term[1]) + "}"


def _name(term: Term, _deep: int) -> str:
    return str(term[1]).removeprefix("builtins.")


def _last(term: Term, _deep: int) -> str:
    return str(term[1]).rpartition(".")[2]


_WRITTEN: dict[str, Callable[[Term, int], str]] = {
    "c": lambda term, _: repr(term[2]),
    "r": _name,
    "g": _name,
    "p": lambda term, _: str(term[2]),
    "self": lambda *_: "self",
    "kw": lambda *_: "**kwargs",
    "a": lambda term, deep: f"{_spelled(term[1], deep)}.{term[2]}",
    "call": _call,
    "not": lambda term, deep: f"not {_inner(term[1], deep)}",
    "inv": lambda term, deep: f"~{_inner(term[1], deep)}",
    "and": _joined,
    "or": _joined,
    "cmp": _operation,
    "bin": _operation,
    "if": lambda term, deep: f"{_inner(term[2], deep)} if {_spelled(term[1], deep)} else {_inner(term[3], deep)}",
    "tuple": _display("(", ")"),
    "list": _display("[", "]"),
    "set": _display("{", "}"),
    "dict": _dict,
    "sub": lambda term, deep: f"{_spelled(term[1], deep)}[{_spelled(term[2], deep)}]",
    "elem": lambda term, deep: f"(an item of {_spelled(term[1], deep)})",
    "enter": lambda term, deep: f"(what `with {_spelled(term[1], deep)}` binds)",
    "fn": _last,
    "cls": _last,
    "lv": lambda term, _: f"{term[1]} (changed by the loop in line {term[2]})",
    "said": lambda term, deep: _spelled(term[2], deep),
    "v": lambda term, _: f"(something of line {term[1]})",
}


def _inner(term: Term, deep: int) -> str:
    text = _spelled(term, deep)
    return f"({text})" if term[0] in ("and", "or", "cmp", "bin", "if", "not") else text


class Places:
    """From the parser's spots to places as the user spells them."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.spelled: Mapping[str, Path] = workspace.spelled

    def at(self, module: str, spot: Spot) -> At:
        """The place where a spot of a file begins."""
        path = self.spelled.get(module, Path(module))
        source = self.workspace.keep(module)
        if source is None:
            return At(path, None, spot.line, 1)
        span = source.span(spot)
        where = source.cell_of(span.line)
        return At(path, None, span.line, span.column) if where is None else At(path, where[0], where[1], span.column)

    def text(self, module: str, spot: Spot) -> str:
        """The source of a spot, on one line, cut when it is long."""
        source = self.workspace.keep(module)
        if source is None:
            return ""
        span = source.span(spot)
        code = source.code[source.offset(span.line, span.column) : source.offset(span.end_line, span.end_column)]
        text = " ".join(code.split())
        return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
