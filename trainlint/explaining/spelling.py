"""Terms and places as a person reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from trainlint.engine.workspace import Workspace
from trainlint.explaining.account import At
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    UNKNOWNS,
    And,
    Asserted,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Entered,
    Global,
    Invert,
    Kwargs,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Subscript,
    Term,
    Tuple,
)

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
    write = _WRITTEN.get(type(term))
    return write(term, deep + 1) if write is not None else "..."


def _call(term: Call, deep: int) -> str:
    given = [_spelled(part, deep) for part in term.args]
    given += [f"{name}={_spelled(value, deep)}" if name else f"**{_spelled(value, deep)}" for name, value in term.kwargs]
    return f"{_spelled(term.callee, deep)}({', '.join(given)})"


def _display(left: str, right: str) -> Callable[[Tuple | List | Set, int], str]:
    return lambda term, deep: f"{left}{', '.join(_spelled(part, deep) for part in term.items)}{right}"


def _joined(term: And | Or, deep: int) -> str:
    return f" {term.tag} ".join(_inner(part, deep) for part in term.operands)


def _operation(term: Compare | BinOp, deep: int) -> str:
    return f"{_inner(term.left, deep)} {SIGNS.get(term.op, term.op)} {_inner(term.right, deep)}"


def _dict(term: Dict, deep: int) -> str:
    return "{" + ", ".join(f"{_spelled(key, deep)}: {_spelled(value, deep)}" for key, value in term.items) + "}"


def _name(term: Ref | Global, _deep: int) -> str:
    return term.name.removeprefix("builtins.")


def _last(term: Nested | NestedClass, _deep: int) -> str:
    return term.name.rpartition(".")[2]


_WRITTEN: dict[type[Term], Callable[[Any, int], str]] = {
    Const: lambda term, _: repr(term.value),
    Ref: _name,
    Global: _name,
    Param: lambda term, _: term.name,
    Self: lambda *_: "self",
    Kwargs: lambda *_: "**kwargs",
    Attr: lambda term, deep: f"{_spelled(term.base, deep)}.{term.name}",
    Call: _call,
    Not: lambda term, deep: f"not {_inner(term.operand, deep)}",
    Invert: lambda term, deep: f"~{_inner(term.operand, deep)}",
    And: _joined,
    Or: _joined,
    Compare: _operation,
    BinOp: _operation,
    Select: lambda term, deep: f"{_inner(term.then, deep)} if {_spelled(term.test, deep)} else {_inner(term.other, deep)}",
    Tuple: _display("(", ")"),
    List: _display("[", "]"),
    Set: _display("{", "}"),
    Dict: _dict,
    Subscript: lambda term, deep: f"{_spelled(term.base, deep)}[{_spelled(term.key, deep)}]",
    Element: lambda term, deep: f"(an item of {_spelled(term.of, deep)})",
    Entered: lambda term, deep: f"(what `with {_spelled(term.manager, deep)}` binds)",
    Nested: _last,
    NestedClass: _last,
    LoopPhi: lambda term, _: f"{term.name} (changed by the loop in line {term.line})",
    Asserted: lambda term, deep: _spelled(term.value, deep),
    **dict.fromkeys(UNKNOWNS, lambda term, _: f"(something of line {term.line})"),
}


def _inner(term: Term, deep: int) -> str:
    text = _spelled(term, deep)
    return f"({text})" if isinstance(term, (And, Or, Compare, BinOp, Select, Not)) else text


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
