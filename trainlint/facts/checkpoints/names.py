"""What files are called: the texts and numbers that a path is put together from.

A number that a loop counts makes another file in each round; a text makes the same one. Whether a number is padded with zeros
decides whether names sort as the numbers do. What is neither is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program
from trainlint.facts.steps.objects import name_of
from trainlint.facts.values import Bound, Frame, Made, Other
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Const,
    Element,
    Global,
    LoopPhi,
    Param,
    Ref,
    Select,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import Store
from trainlint.ir.walk import of_kind

_DEEPEST = 12
_MOST = 8
_PERCENT = re.compile(r"%(?:\(\w+\))?([-#0 +]*)(\d*)(?:\.\d+)?([a-zA-Z%])")
_BRACES = re.compile(r"\{([^{}:!]*)(?:![rsa])?(?::([^{}]*))?\}")
_PADDED = re.compile(r"(?<![.\d])\d")  # a width: with zeros or blanks, names sort as the numbers do
_FLOAT = re.compile(r"\.\d|[eEfFgG%]$")


class Part(NamedTuple):
    """A piece of a path: a ``text``, a ``number`` of a loop (``padded`` or not), a ``setting`` of the run, or ``unknown``."""

    kind: str
    text: str = ""
    padded: bool = False


Shape = tuple[Part, ...]
_SLASH = Part("text", "/")
_UNKNOWN = Part("unknown")


class Names:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.joins = program.knowledge.tables["files.joins"]["names"]
        self.settings = frozenset(program.knowledge.tables["settings"]["names"])
        self.parsed = frozenset(program.knowledge.tables["settings.parsed"]["names"])
        self.counters = frozenset(program.knowledge.tables["checkpoints.counters"]["names"])
        self._globals: dict[str, frozenset[Term]] = {}

    def shapes(self, term: Term, frame: Frame, depth: int = 0) -> list[Shape]:
        """What a path may look like: one shape for each thing it may be."""
        return list(dict.fromkeys(self._shapes(term, frame, depth)))[:_MOST]

    def _shapes(self, term: Term, frame: Frame, depth: int) -> Iterator[Shape]:
        if depth > _DEEPEST:
            yield (_UNKNOWN,)
        elif isinstance(term, Const):
            yield (Part("text", str(term.value)),)
        elif isinstance(term, Select):
            yield from self.shapes(term.then, frame, depth + 1)
            yield from self.shapes(term.other, frame, depth + 1)
        elif isinstance(term, BinOp) and term.op in ("Add", "Div"):
            middle = (_SLASH,) if term.op == "Div" else ()
            if self.is_number(term, frame):
                yield (Part("number"),)
                return
            for left, right in product(self.shapes(term.left, frame, depth + 1), self.shapes(term.right, frame, depth + 1)):
                yield (*left, *middle, *right)
        elif isinstance(term, BinOp) and term.op == "Mod" and isinstance(term.left, Const) and isinstance(term.left.value, str):
            yield self._percent(term.left.value, term.right, frame, depth)
        elif isinstance(term, Unknown) and term in self.program.modules[frame.module].texts:
            yield from self._joined(self.program.modules[frame.module].texts[term], (), frame, depth)
        elif isinstance(term, Call):
            yield from self._called(term, frame, depth)
        elif self.is_number(term, frame):
            yield (Part("number"),)
        else:
            yield from self._followed(term, frame, depth)

    def _joined(self, parts: tuple[Term, ...], between: Shape, frame: Frame, depth: int) -> Iterator[Shape]:
        for chosen in product(*(self.shapes(part, frame, depth + 1)[:2] for part in parts[:_MOST])):
            shape: list[Part] = []
            for index, each in enumerate(chosen):
                shape += (*between, *each) if index else each
            yield tuple(shape)

    def _called(self, term: Call, frame: Frame, depth: int) -> Iterator[Shape]:
        callee = term.callee
        form = self._text(callee.base, frame) if isinstance(callee, Attr) and callee.name == "format" else None
        if form is not None:
            yield self._braces(form, term, frame, depth)
            return
        if isinstance(callee, Ref) and callee.name == "builtins.str" and term.args:
            yield from self.shapes(term.args[0], frame, depth + 1)
            return
        for value in self.program.values(term, frame):
            if (isinstance(value, Made) and value.call is term and value.name in self.joins and term.args) or (
                isinstance(value, Made) and value.call is term and last_name(callee) in ("Path", "str", "PurePath") and term.args
            ):
                yield from self._joined(term.args, (_SLASH,), frame, depth)
            elif isinstance(value, Other) and value.term is not term:
                yield from self.shapes(value.term, value.frame, depth + 1)
            elif isinstance(callee, Attr) and callee.name == "joinpath":
                yield from self._joined((callee.base, *term.args), (_SLASH,), frame, depth)
            elif isinstance(callee, Attr) and callee.name == "zfill":
                yield (Part("number", padded=True),)
            else:
                yield (Part("unknown", name_of(term)),)

    def _text(self, term: Term, frame: Frame) -> str | None:
        """The one text that a term is, itself or as a constant of its file."""
        values = [Other(term, frame)] if isinstance(term, Const) else self.program.values(term, frame)
        found = {value.term.value if isinstance(value, Other) and isinstance(value.term, Const) else None for value in values}
        text = found.pop() if len(found) == 1 else None
        return text if isinstance(text, str) else None

    def _followed(self, term: Term, frame: Frame, depth: int) -> Iterator[Shape]:
        bound = frame.given(term) if isinstance(term, Param) else None
        if isinstance(bound, Bound):
            yield from self.shapes(bound.term, bound.frame, depth + 1)
            return
        if isinstance(term, Element):
            yield (_UNKNOWN,)
            return
        if self._is_setting(term, frame):
            yield (Part("setting", name_of(term)),)
            return
        for value in self.program.values(term, frame):
            if isinstance(value, Other) and value.term is not term:
                yield from self.shapes(value.term, value.frame, depth + 1)
            elif isinstance(value, Made) and value.call is not None and value.frame is not None and value.call is not term:
                yield from self.shapes(value.call, value.frame, depth + 1)
            else:
                # A parameter that nobody is seen to pass belongs to the outermost function: no loop in sight changes it.
                yield (Part("setting" if isinstance(term, Param) else "unknown", name_of(term)),)

    def _is_setting(self, term: Term, frame: Frame) -> bool:
        """Whether a term is what somebody set for the whole run: of what is called ``args``, or was parsed."""
        if not isinstance(term, Access) or self._counts(name_of(term)):
            return False
        if name_of(term.base) in self.settings:
            return True
        values = self.program.values(term.base, frame)
        return bool(values) and all(isinstance(value, Made) and value.name in self.parsed for value in values)

    def is_number(self, term: Term, frame: Frame) -> bool:
        """Whether a term is what a loop counts: of itself, or one more than that."""
        if isinstance(term, BinOp) and term.op in ("Add", "Sub", "Mult", "FloorDiv"):
            sides = [side for side in term.sides if not (isinstance(side, Const) and isinstance(side.value, int))]
            return len(sides) < len(term.sides) and all(self.is_number(side, frame) for side in sides) and bool(sides)
        if isinstance(term, Element):
            return last_name(term.of.callee) in ("range", "trange", "tqdm", "count") if isinstance(term.of, Call) else False
        if isinstance(term, Subscript) and isinstance(term.base, Element) and isinstance(term.key, Const):
            subject = term.base.of
            return bool(term.key.value == 0 and isinstance(subject, Call) and last_name(subject.callee) in ("enumerate", "tqdm"))
        if isinstance(term, Param) and isinstance(frame.given(term), Bound):
            bound = frame.given(term)
            assert isinstance(bound, Bound)
            return self.is_number(bound.term, bound.frame)
        if isinstance(term, Global):  # by ``global``: a function counts it up
            return self._counts(term.name) and term in self._stored(frame.module)
        return isinstance(term, (Param, Access, LoopPhi)) and self._counts(name_of(term))

    def _stored(self, path: str) -> frozenset[Term]:
        """The names of a file's top level that its functions bind anew."""
        if path not in self._globals:
            functions = self.program.modules[path].functions.values()
            nodes = (node for each in functions if each.kind != "module" for node in of_kind(each, Store))
            self._globals[path] = frozenset(node.target for node in nodes if isinstance(node.target, Global))
        return self._globals[path]

    def _counts(self, name: str) -> bool:
        bare = name.lower().strip("_")
        return bare in self.counters or any(bare.endswith(f"_{word}") for word in self.counters)

    def _percent(self, text: str, given: Term, frame: Frame, depth: int) -> Shape:
        values = list(given.items) if isinstance(given, Tuple) else [given]
        parts: list[Part] = []
        end = 0
        for found in _PERCENT.finditer(text):
            if found[3] == "%":
                continue
            parts += (
                Part("text", text[end : found.start()]),
                *self._field(values.pop(0) if values else None, found[0][1:], frame, depth),
            )
            end = found.end()
        if not end and text.startswith("%"):  # a format of an f-string, or of nothing that is known
            return self._field(given, text[1:], frame, depth)
        return (*parts, Part("text", text[end:]))

    def _braces(self, text: str, call: Call, frame: Frame, depth: int) -> Shape:
        named = {name: value for name, value in call.kwargs if name is not None}
        positional = list(call.args)
        parts: list[Part] = []
        end = at = 0
        for found in _BRACES.finditer(text):
            name = found[1]
            value = named.get(name) if name and not name.isdigit() else None
            if value is None and (not name or name.isdigit()):
                index = int(name) if name else at
                value = positional[index] if index < len(positional) else None
                at += 1
            parts += (Part("text", text[end : found.start()]), *self._field(value, found[2] or "", frame, depth))
            end = found.end()
        return (*parts, Part("text", text[end:]))

    def _field(self, value: Term | None, how: str, frame: Frame, depth: int) -> Shape:
        if value is None:
            return (_UNKNOWN,)
        if self.is_number(value, frame):
            return (Part("number", padded=bool(_PADDED.search(how))),) if not _FLOAT.search(how) else (_UNKNOWN,)
        return next(iter(self.shapes(value, frame, depth + 1)), (_UNKNOWN,)) if how in ("", "s") else (_UNKNOWN,)


def base_of(shape: Shape) -> Shape:
    """The last part of a path, behind the last slash."""
    found: list[Part] = []
    for part in reversed(shape):
        if part.kind == "text" and "/" in part.text:
            rest = part.text.rpartition("/")[2]
            if rest:
                found.append(Part("text", rest))
            if found:
                break
            continue
        found.append(part)
    return tuple(reversed(found))


def is_fixed(shape: Shape) -> bool:
    """Whether a path is the same in each round: it is made of texts and settings, and its last part of texts."""
    return all(part.kind in ("text", "setting") for part in shape) and any(
        part.text for part in base_of(shape) if part.kind == "text"
    )


def is_numbered(shape: Shape) -> bool:
    """Whether a path is another one in each round."""
    return any(part.kind == "number" for part in shape)
