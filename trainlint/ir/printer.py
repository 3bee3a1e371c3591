"""The printer of values: as a model, as a person reads them, or as source code that may stand at a place.

How each kind is written stands in a table; a :class:`Style` says what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from trainlint.ir.bindings import bindings, held_at_end
from trainlint.ir.nodes import (
    UNKNOWNS,
    And,
    Asserted,
    Attr,
    Augmented,
    BinOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Element,
    Entered,
    Format,
    Global,
    Invert,
    Kwargs,
    List,
    LoopPhi,
    MatMul,
    Nested,
    NestedClass,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Slice,
    Star,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.operators import OPPOSITES, SIGNS
from trainlint.ir.sketch import Function, Loop
from trainlint.ir.terms import is_none
from trainlint.ir.walk import of_kind

_Writer = Callable[["_Printer", Any], str]


class Style(NamedTuple):
    """How values are written: the kinds, all others, and in parentheses what stands anywhere, or inside an operation.

    Of a value with more than ``most`` parts (shared ones again and again), or more than ``deepest`` levels, ``cut`` stands for
    what is left.
    """

    kinds: Mapping[type[Term], _Writer]
    otherwise: _Writer
    signs: Mapping[str, str] = SIGNS
    grouped: Collection[type[Term]] = ()
    grouped_inside: Collection[type[Term]] = ()
    most: float = float("inf")
    deepest: float = float("inf")
    cut: str = "..."


class _NotSource(Exception):
    """A value cannot be written at its place."""


class _Printer:
    """Writes one value down, in a style; ``function`` is where it stands, if that matters."""

    def __init__(self, style: Style, function: Function | None = None) -> None:
        self.style = style
        self.function = function
        self.left = style.most
        self.depth = 0

    def text(self, term: Term) -> str:
        """A value, or a part of one, as far as there is room."""
        style = self.style
        self.left -= 1
        if self.left < 0 or self.depth > style.deepest:
            return style.cut
        self.depth += 1
        text = style.kinds.get(type(term), style.otherwise)(self, term)
        self.depth -= 1
        return f"({text})" if type(term) in style.grouped else text

    def inside(self, term: Term) -> str:
        """A part of an operation."""
        text = self.text(term)
        return f"({text})" if type(term) in self.style.grouped_inside else text

    def local(self, term: Term) -> str | None:
        """The local name that holds a value where it was just computed."""
        return lasting(term, self.function) if self.function is not None else None


def _name(_printer: _Printer, term: Ref | Global | Param | LoopPhi) -> str:
    return term.name


def _constant(_printer: _Printer, term: Const) -> str:
    return repr(term.value)


def _call(printer: _Printer, term: Call) -> str:
    given = [printer.text(argument) for argument in term.args]
    given += [f"{name}={printer.text(value)}" if name else f"**{printer.text(value)}" for name, value in term.kwargs]
    return f"{printer.text(term.callee)}({', '.join(given)})"


def _joined(printer: _Printer, term: And | Or) -> str:
    return f" {term.tag} ".join(map(printer.inside, term.operands))


def _operation(printer: _Printer, term: Compare | BinOp) -> str:
    return f"{printer.inside(term.left)} {printer.style.signs.get(term.op, term.op)} {printer.inside(term.right)}"


def _choice(printer: _Printer, term: Select) -> str:
    return f"{printer.inside(term.then)} if {printer.text(term.test)} else {printer.inside(term.other)}"


def _display(left: str, right: str) -> _Writer:
    return lambda printer, term: f"{left}{', '.join(map(printer.text, term.items))}{right}"


def _dict(printer: _Printer, term: Dict) -> str:
    return "{" + ", ".join(f"{printer.text(key)}: {printer.text(value)}" for key, value in term.items) + "}"


def _slice(printer: _Printer, term: Slice) -> str:
    written = ("" if is_none(bound) else printer.text(bound) for bound in term.bounds)
    lower, upper, step = written
    return f"{lower}:{upper}:{step}" if step else f"{lower}:{upper}"


def _comprehension(printer: _Printer, term: Comprehension) -> str:
    key = f"{printer.text(term.key)}: " if term.key is not None else ""
    tests = "".join(f" if {printer.text(test)}" for test in term.tests)
    return f"{term.kind}({key}{printer.text(term.item)} for {printer.text(term.target)}{tests})"


def _bare(_printer: _Printer, term: Ref | Global) -> str:
    return term.name.removeprefix("builtins.")


def _last(_printer: _Printer, term: Nested | NestedClass) -> str:
    return term.name.rpartition(".")[2]


def _parts(printer: _Printer, term: Term) -> str:
    parts = (printer.text(part) if isinstance(part, Term) else str(part) for part in term.parts)
    return f"<{term.tag} {' '.join(parts)}>"


#: What is written in the same way for the model and for a person.
_WRITTEN: dict[type[Term], _Writer] = {
    Const: _constant,
    Param: _name,
    Self: lambda *_: "self",
    Attr: lambda printer, term: f"{printer.text(term.base)}.{term.name}",
    Call: _call,
    Not: lambda printer, term: f"not {printer.inside(term.operand)}",
    Invert: lambda printer, term: f"~{printer.inside(term.operand)}",
    And: _joined,
    Or: _joined,
    Compare: _operation,
    BinOp: _operation,
    Select: _choice,
    Dict: _dict,
    Subscript: lambda printer, term: f"{printer.text(term.base)}[{printer.text(term.key)}]",
}

_MODEL = Style(
    {
        **_WRITTEN,
        Kwargs: lambda *_: "kwargs",
        Ref: _name,
        Global: _name,
        Tuple: _display("tuple(", ")"),
        List: _display("list(", ")"),
        Set: _display("set(", ")"),
        Slice: _slice,
        Element: lambda printer, term: f"each({printer.text(term.of)})",
        Entered: lambda printer, term: f"entered({printer.text(term.manager)})",
        MatMul: lambda printer, term: f"({' @ '.join(map(printer.text, term.factors))})",
        Format: lambda printer, term: f"text({', '.join(map(printer.text, term.pieces))})",
        Augmented: lambda printer, term: f"({' += '.join(map(printer.text, term.pieces))})",
        Comprehension: _comprehension,
        Star: lambda printer, term: f"*{printer.text(term.of)}",
    },
    _parts,
    signs={},
    grouped=(And, Or, Compare, BinOp, Select),
    most=4000,
    cut="…",
)

_PROSE = Style(
    {
        **_WRITTEN,
        Kwargs: lambda *_: "**kwargs",
        Ref: _bare,
        Global: _bare,
        Nested: _last,
        NestedClass: _last,
        Tuple: _display("(", ")"),
        List: _display("[", "]"),
        Set: _display("{", "}"),
        Element: lambda printer, term: f"(an item of {printer.text(term.of)})",
        Entered: lambda printer, term: f"(what `with {printer.text(term.manager)}` binds)",
        LoopPhi: lambda _, term: f"{term.name} (changed by the loop in line {term.line})",
        Asserted: lambda printer, term: printer.text(term.value),
        **dict.fromkeys(UNKNOWNS, lambda _, term: f"(something of line {term.line})"),
    },
    lambda *_: "...",
    grouped_inside=(And, Or, Compare, BinOp, Select, Not),
    deepest=8,
)
_LONGEST = 120


def show(term: Term) -> str:
    """A value as the model has it, for ``trainlint dev ir`` and for messages that fail; of a very large one the beginning."""
    return _Printer(_MODEL).text(term)


def spelled(term: Term) -> str:
    """A value as Python would be written, with names followed to where they come from; cut when it is very long."""
    text = _Printer(_PROSE).text(term)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


# -- source code, or None ----------------------------------------------------------------------------------------------


def lasting(term: Term, function: Function) -> str | None:
    """The local name that holds a value to the end of its function, or of the round of its loop: nothing rebinds it."""
    return next((name for name, held in bindings(function) if held is term and name.isidentifier()), None)


def _local(printer: _Printer, term: Term) -> str:
    name = printer.local(term)
    if name is None:
        raise _NotSource
    return name


def _or_local(writer: _Writer) -> _Writer:
    """A local name that holds the value, or as ``writer`` has it."""
    return lambda printer, term: printer.local(term) or writer(printer, term)


def _parameter(printer: _Printer, term: Param) -> str:
    if printer.function is None or term.function != printer.function.qualname:
        raise _NotSource
    return term.name


def _own(printer: _Printer, _term: Self) -> str:
    function = printer.function
    if function is None or function.kind != "method" or not function.parameters:
        raise _NotSource
    return function.parameters[0]


_NAMES = Style(
    {
        Param: _or_local(_parameter),
        Global: _or_local(_name),
        Self: _or_local(_own),
        Attr: _or_local(_WRITTEN[Attr]),
    },
    _local,
)


def _moved(printer: _Printer, term: Call) -> str:
    """Of ``model.to(device)`` and ``model.cuda()`` what is moved."""
    if term.args or not isinstance(term.callee, Attr) or term.callee.name not in ("to", "cuda"):
        raise _NotSource
    return printer.text(term.callee.base)


_MODELS = Style({**_NAMES.kinds, LoopPhi: _name, Call: _or_local(_moved)}, _local)

#: Operators that can be written, and those that need parentheses inside others.
_ARITHMETIC = ("Add", "Sub", "Mod", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE")
_LOOSE = ("Add", "Sub")


def _computed(printer: _Printer, term: BinOp | Compare) -> str:
    if term.op not in _ARITHMETIC:
        return _local(printer, term)
    return f"({_operation(printer, term)})" if term.op in _LOOSE else _operation(printer, term)


def _counted(printer: _Printer, term: Element) -> str:
    """What a loop around the place counts."""
    loops = of_kind(printer.function, Loop) if printer.function is not None else ()
    named = (each.names[0] for each in loops if each.target is term and len(each.names) == 1)
    name = next((name for name in named if name.isidentifier()), None)
    if name is None:
        raise _NotSource
    return name


_EXPRESSIONS = Style(
    {
        **_NAMES.kinds,
        Const: _constant,
        Element: _counted,
        BinOp: _computed,
        Compare: _computed,
        Attr: lambda printer, term: _Printer(_NAMES, printer.function).text(term),
    },
    _local,
)


def _bound(printer: _Printer, term: Term) -> str:
    bound = held_at_end(printer.function) if printer.function is not None else {}
    name = next((name for name, held in bound.items() if held is term), None)
    if name is None:
        raise _NotSource
    return name


def _of_holder(printer: _Printer, term: Attr) -> str:
    return f"{'self' if isinstance(term.base, Self) else printer.text(term.base)}.{term.name}"


def _item(printer: _Printer, term: Subscript) -> str:
    base = printer.text(term.base)
    return f"{base}[{show(term.key)}]" if isinstance(term.key, Const) else base


def _nothing(_printer: _Printer, _term: Term) -> str:
    raise _NotSource


_HOLDERS = Style(
    {
        **dict.fromkeys((List, Dict, Call, *UNKNOWNS), _bound),
        **dict.fromkeys((LoopPhi, Global, Param), _name),
        Attr: _of_holder,
        Subscript: _item,
    },
    _nothing,
)


def _source(term: Term, function: Function, style: Style) -> str | None:
    try:
        return _Printer(style, function).text(term)
    except _NotSource:
        return None


def name_in(term: Term, function: Function, *, constants: bool = False) -> str | None:
    """How a value can be written in a function where it was just computed: the local name that holds it, or its dotted name.

    With ``constants`` a constant is written, too.
    """
    return repr(term.value) if constants and isinstance(term, Const) else _source(term, function, _NAMES)


def model_in(term: Term, function: Function) -> str | None:
    """How a model is called in a function: by its name, or as the part of one."""
    return _source(term, function, _MODELS)


def holder_in(term: Term, function: Function) -> str | None:
    """What a container is called in a message; of an item of one with no constant key, what the container is called."""
    return _source(term, function, _HOLDERS)


def code_in(term: Term, function: Function, *, opposite: bool = False) -> str | None:
    """How arithmetic and comparisons of such values can be written: ``(i + 1) % window == 0``; or the ``opposite`` of that."""
    if opposite and isinstance(term, Compare) and term.op in OPPOSITES:
        term = Compare.new(OPPOSITES[term.op], *term.sides)
        opposite = False
    said = _source(term, function, _EXPRESSIONS)
    return f"not {said}" if opposite and said is not None else said
