"""Sums of many numbers that are kept in 16 bits: from some size on, what is added is rounded away.

Known to be narrow is what is made so (``dtype=torch.float16``, ``.half()``) and what keeps the type of such. A sum is narrow if
it began as a narrow tensor and is added to in place, or if all that is added is narrow as well, outside of any autocast.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from trainlint.domains.autograd.escape import RETURNED, Path, Sink, Sinks
from trainlint.domains.autograd.lifetime import has_few_rounds
from trainlint.domains.precision.autocast import Regimes
from trainlint.finding import Spot
from trainlint.ir.bindings import carried_in
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Display,
    Global,
    LoopPhi,
    Param,
    Ref,
    Self,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Bind, Exit, Keep, Loop
from trainlint.ir.terms import container_of, mentions, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.contexts import calling_contexts
from trainlint.program.loops import Loops, loops_leading_to
from trainlint.program.memo import remembered
from trainlint.program.naming import reference
from trainlint.program.origins import definitions
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, Library

_DTYPE, _IN_PLACE = "dtype", "AugAssign"
_ADDING = ("sum", "hand")
_LIKE, _NEW = "_like", "new_"


class Made(NamedTuple):
    """What makes a value narrow: the precision, and the call that is told so by a keyword (None: it is told otherwise).

    ``single``: the value is one number.
    """

    dtype: str
    module: str
    maker: Spot | None
    single: bool = False


class NarrowSum(NamedTuple):
    """A statement that adds to a sum of 16 bits.

    ``made`` is what made the sum so; where that is what is added, ``paths`` lead there.
    """

    sink: Sink
    made: Made
    paths: tuple[Path, ...] = ()


class _Narrow:
    """Which values have 16 bits. Only what is certain."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        tables = program.knowledge.tables
        self._dtypes = frozenset((*program.knowledge.narrow, *tables["narrow.wide"]["names"]))
        self._casts = tables["narrow.casts"]
        self._takes = frozenset(tables["narrow.takes"]["names"])
        self._reduces = frozenset(tables["narrow.reduces"]["names"])
        self._makes = frozenset(tables["makes_data"]["names"])

    @remembered(None)
    def of(self, term: Term, frame: Context) -> Made | None:
        """What makes a value narrow; None where it may be something else."""
        origins = definitions(self.program, term, frame)
        if (term, frame) not in origins:
            every = [self.of(*origin) if origin is not None else None for origin in origins]
            return every[0] if every and None not in every else None
        if isinstance(term, Call):
            return self._call(term, frame)
        if isinstance(term, BinOp):
            found = [self.of(part, frame) for part in term.sides]
            if any(made is None and not _is_number(part) for made, part in zip(found, term.sides, strict=True)):
                return None
            return next((made for made in found if made is not None), None)
        if isinstance(term, Subscript):
            return self.of(term.base, frame)
        if isinstance(term, Dict) and term.items:
            values = [self.of(value, frame) for _, value in term.items]
            return values[0] if None not in values else None
        return None

    def _call(self, call: Call, frame: Context) -> Made | None:
        callee = call.callee
        libraries = [value.name for value in self.program.values(callee, frame) if isinstance(value, Library)]
        if len(libraries) == 1 and libraries[0] in self._makes:
            return self._made(call, frame, like=libraries[0].endswith(_LIKE))
        if not isinstance(callee, Attr) or isinstance(callee.base, Ref):
            return None
        name = callee.name
        if name in self._casts:
            return Made(self._casts[name], frame.module, None, self._is_single(callee.base))
        if name in self._takes and (told := self._told(call, frame)) is not None:
            return Made(told, frame.module, None, self._is_single(callee.base))
        if name.startswith(_NEW):
            return self._made(call, frame, of=callee.base)
        if name in self.knowledge.keeps and not self._names_a_type(call, name):
            found = self.of(callee.base, frame)
            reduced = name in self._reduces and not call.args and not call.kwargs
            return found._replace(single=found.single or reduced) if found is not None else None
        return None

    def _is_single(self, term: Term) -> bool:
        """Whether a value is made with one number in it (`torch.tensor(0.0)`, `torch.zeros(())`, one of size 1), or is a mean."""
        if not isinstance(term, Call):
            return False
        first = term.args[0] if term.args else None
        if first is None:
            return str(term.callee.parts[-1]) in self._reduces and not term.kwargs
        if isinstance(first, Tuple):
            return all(isinstance(size, Const) and size.value == 1 for size in first.items)
        name = str(term.callee.parts[-1]).rpartition(".")[2]
        return len(term.args) == 1 and isinstance(first, Const) and _is_number(first) and (name == "tensor" or first.value == 1)

    def _made(self, call: Call, frame: Context, *, like: bool = False, of: Term | None = None) -> Made | None:
        """A tensor that is made: of the type it is told, or of that of another one."""
        given = next((value for name, value in call.kwargs if name == _DTYPE), None)
        if given is not None:
            dtype = self._dtype(given, frame)
            return Made(dtype, frame.module, call.site, self._is_single(call)) if dtype is not None else None
        other = call.args[0] if like and call.args else of
        found = self.of(other, frame) if other is not None else None
        return found._replace(maker=None) if found is not None else None

    def _told(self, call: Call, frame: Context) -> str | None:
        """The narrow type among what a cast is given."""
        given = (*call.args, *(value for _, value in call.kwargs))
        return next((dtype for term in given if (dtype := self._dtype(term, frame)) is not None), None)

    def _dtype(self, term: Term, frame: Context) -> str | None:
        values = self.program.values(term, frame)
        names = {value.name if isinstance(value, Library) else "" for value in values}
        return names.pop() if len(names) == 1 and names <= self._dtypes else None

    def _names_a_type(self, call: Call, name: str) -> bool:
        """Whether a method that keeps the type otherwise is told one, or may be: ``x.sum(dtype=…)``, ``x.to(other)``."""
        if any(keyword == _DTYPE for keyword, _ in call.kwargs):
            return True
        if name in self._takes:
            return not all(_is_device(term) for term in call.args)
        return name in ("float", "double", "type", "type_as")


def narrow_sums(program: Program) -> Iterator[NarrowSum]:
    """The sums over the rounds of a loop, or over many calls, that are kept in 16 bits."""
    asked = _Narrow(program)
    for module, function in program.functions():
        for sink in program.ask(Sinks).of(module, function):
            if sink.kind not in _ADDING or not sink.parts or tests_software(program, module, sink.function):
                continue
            own = program.frame(module, function)
            sums = list(program.ask(Sinks).sums(sink, own))
            frames = (own, *calling_contexts(program, module, function)) if sums else ()
            answers = (_judged(program, asked, sink, sums, frame) for frame in dict.fromkeys(frames))
            yield from islice((answer for answer in answers if answer is not None), 1)


def wide(program: Program, module: str) -> str | None:
    """How a file can write the precision that sums want."""
    return reference(program.knowledge.written["wide"], program.modules[module])


def _judged(program: Program, asked: _Narrow, sink: Sink, sums: list[Sink], frame: Context) -> NarrowSum | None:
    """Whether a sink is a sum of 16 bits in an activation of its function; ``sums`` are the statements that add there."""
    # What a function makes is another thing in each of its calls.
    rounds = [each for each in loops_leading_to(sink.spot, frame) if each[1] is frame or isinstance(sink.holder, Access)]
    if not any(_is_long(program, loop) for loop, _ in rounds) or _is_careful(sink):
        return None
    made = _beginning(program, asked, sink, frame)
    added = [asked.of(part.term, frame) for part in sink.parts]
    first = added[0]
    if made is not None and (all(map(_is_in_place, sums)) or all(added)):
        found = NarrowSum(sink, made)  # `total = total + x` takes the wider type of both
    elif first is not None and None not in added and sums == [sink] and _begins_as_number(sink):
        calls_in = (part for each in sink.parts for part in parts_of(each.term) if isinstance(part, Call))
        if any(program.ask(Regimes).of(call, frame).autocasts != () for call in calls_in):
            return None  # autocast adds in float32
        found = NarrowSum(sink, first, tuple(part.path for part in sink.parts))
    else:
        return None
    # A tensor may be the sum of a few others, wherever they come from; a single number is a count, a loss, a metric.
    single = found.made.single and not isinstance(sink.holder, Subscript)
    return found if single or any(_is_over_data(program, loop, each) for loop, each in rounds) else None


def _beginning(program: Program, asked: _Narrow, sink: Sink, frame: Context) -> Made | None:
    """What made a total narrow, where it was made."""
    holder = sink.holder
    holder = container_of(holder)
    if isinstance(holder, LoopPhi):
        carried = carried_in(sink.function, holder)
        return asked.of(carried.entry, frame) if carried is not None else None
    if isinstance(holder, Call) and loops_around(sink.function, holder):
        return None  # another one in each round
    if not isinstance(holder, Attr) or not isinstance(holder.base, Self):
        return asked.of(holder, frame)
    cls = program.modules[sink.module].classes.get(sink.function.cls or "")
    if cls is None:
        return None
    stored: list[Made | None] = []
    for path, function, value in program.stores(ClassValue(sink.module, cls), holder.name):
        if not isinstance(value, Unknown) or not any(
            node.spot[:2] == (value.line, value.column) for node in of_kind(function, Keep)
        ):
            stored.append(asked.of(value, program.frame(path, function)))
    return stored[0] if stored and None not in stored else None


def _is_in_place(sink: Sink) -> bool:
    """Whether a statement adds to the tensor that its holder is: what a function returns, if it did so before."""
    if sink.node != RETURNED:
        return sink.node in (_IN_PLACE, "Call")
    grown = [node.value for node in of_kind(sink.function, Bind) if node.kind == "AugAssign"]
    exits = (node.value for node in of_kind(sink.function, Exit) if node.spot == sink.spot and node.value is not None)
    return any(part in grown for part in parts_of(*exits))


def _begins_as_number(sink: Sink) -> bool:
    carried = carried_in(sink.function, sink.holder) if isinstance(sink.holder, LoopPhi) else None
    return carried is not None and _is_number(carried.entry)


def _is_long(program: Program, loop: Loop) -> bool:
    """Whether a loop goes over neither the parts of a model nor a few things that are written down."""
    if has_few_rounds(loop) or isinstance(loop.subject, Display):
        return False
    layers = program.knowledge.tables["narrow.layers"]["names"]
    words = {word.removesuffix("s") for name in _names(loop) for word in name.split("_")}
    return words.isdisjoint(layers)


def _is_over_data(program: Program, loop: Loop, frame: Context) -> bool:
    """Whether a loop goes over data, by what it iterates or by the names of that."""
    if any(True for _ in program.ask(Loops).iterated(loop.subject, frame)):
        return True
    data = program.knowledge.tables["narrow.data"]["names"]
    return _is_long(program, loop) and any(word in name for name in _names(loop) for word in data)


def _names(loop: Loop) -> list[str]:
    """What a loop calls that over which it goes, and what it hands out."""
    return [
        name.lower() for name in (*loop.names, *(part.name for part in parts_of(loop.subject) if isinstance(part, (Param, Attr))))
    ]


def _is_careful(sink: Sink) -> bool:
    """Whether what is rounded away is found and added later (Kahan's sum): it takes a difference with the total."""
    terms = [node.value for node in of_kind(sink.function, Keep)] + [node.term for node in calls_of(sink.function)]
    differences = (part for part in parts_of(*terms) if isinstance(part, BinOp) and part.op == "Sub")
    return any(mentions(part, sink.holder) for part in differences)


def _is_device(term: Term) -> bool:
    """Whether an argument of `to` is a device, or a switch, and no type."""
    if isinstance(term, Const):
        return True
    name = term.name.lower() if isinstance(term, (Param, Attr, Global)) else ""
    return "device" in name


def _is_number(term: Term) -> bool:
    return bool(isinstance(term, Const) and isinstance(term.value, (int, float)))
