"""Padding: which loops get batches that are padded to the longest item of each, so that no two need have one length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.loaders.options import Given
from trainlint.facts.program import Program
from trainlint.facts.traced.consteval import choices, deep
from trainlint.facts.values import Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.facts.xla.batches import Batches
from trainlint.facts.xla.longest import pads_to
from trainlint.facts.xla.running import Xla
from trainlint.ir.nodes import Call, Const, SequenceDisplay, Term
from trainlint.ir.sketch import Block, CallStep, Function, If

_DEEPEST = 3
_LONGEST = "longest"
#: What bounds the lengths: with one of these given, the padding is somebody's choice.
_BOUNDS = ("pad_to_multiple_of", "total_length")


class Padded(NamedTuple):
    """A call that pads to the longest item: where it stands, and the length it could pad to instead, if one is given.

    ``chosen`` says that an argument of the call decides how it pads; otherwise it can do nothing else.
    """

    call: Call
    frame: Frame
    chosen: bool
    length: Term | None


class Padding:
    """Questions about padding."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.batches: Batches = program.ask(Batches)
        self.xla: Xla = program.ask(Xla)

    def in_loop(self, body: Block, frame: Frame) -> Iterator[Padded]:
        """The calls of a loop's own body that make batches and pad them to their longest item."""
        yield from self._in(body, frame, 0, only=True)

    def in_loader(self, loader: Made | Instance) -> Iterator[Padded]:
        """The calls that pad a loader's batches to their longest item: in its collate function, or its collate object."""
        library = self.batches.asked.library(loader, "loader")
        if library is None:
            return
        collate = self.batches.given(loader, "collate_fn", library)
        if len(collate.values) == 1:  # a choice between two may be one between devices
            yield from self._collator(collate.values[0])
        for function, frame in self.batches.collates(loader, library) if len(collate.values) == 1 else ():
            if not self._evens(function, frame):
                yield from self._in(function.body, frame, 0, only=False)

    def _collator(self, value: Value) -> Iterator[Padded]:
        """A library's collate object, made with arguments that leave it at the longest item."""
        if not isinstance(value, Made) or value.call is None or value.frame is None:
            return
        if self.program.knowledge.paddings.get(value.name) == "longest" and not self._fixed_elsewhere(value.frame):
            padded = self._judged(value.name, value.call, value.frame)
            if padded is not None:
                yield padded

    def _in(self, block: Block, frame: Frame, depth: int, *, only: bool) -> Iterator[Padded]:
        """The padding calls in a block and in what it calls; ``only`` those of tokenizers (in the loop itself)."""
        for node in deep(self.program, block, frame, self.xla.not_in_each_step):
            if not isinstance(node, CallStep):
                continue
            for value in self.program.values(node.term.callee, frame):
                name = self._named(value)
                known = self.program.knowledge.paddings.get(name or "")
                if name is not None and (known == "asked" or (known in ("longest", "always") and not only)):
                    padded = self._judged(name, node.term, frame)
                    if padded is not None:
                        yield padded
                elif known == "largest" and not only and pads_to(self.program, node.term, frame):
                    yield Padded(node.term, frame, False, None)
                elif isinstance(value, FunctionValue) and depth < _DEEPEST and not frame.runs(value.function):
                    inner = self.program.enter(value, node.term, frame)
                    if not self._evens(value.function, inner):
                        yield from self._in(value.function.body, inner, depth + 1, only=only)

    def _named(self, value: Value) -> str | None:
        """The library name of a callee, or of the object that is called."""
        if isinstance(value, (Library, Made)):
            return value.name
        return self.program.assumed(value.term, value.frame.module) if isinstance(value, Other) else None

    def _judged(self, name: str, call: Call, frame: Frame) -> Padded | None:
        """The call, if its arguments leave it at the longest item whatever happens."""
        if call.args and _is_literal(call.args[0]):
            return None  # the same texts each time
        made = Made(name, call, frame)
        word = self.program.knowledge.paddings[name]
        for bound in _BOUNDS:
            given = self.batches.given(made, bound, name)
            if not given.known or not given.absent:
                return None
        if word == "always":
            return Padded(call, frame, False, None)
        padding = self.batches.given(made, "padding", name)
        if not self._to_longest(padding, word):
            return None
        length = self.batches.given(made, "max_length", name)
        return Padded(call, frame, True, None if length.absent or self._depends(length) else length.term)

    def _to_longest(self, padding: Given, word: str) -> bool:
        if not padding.known:
            return False
        if padding.term is None:
            return word == "longest"
        return all(self._says_longest(value) for value in padding.values) and bool(padding.values)

    def _says_longest(self, value: Value) -> bool:
        if isinstance(value, Other) and isinstance(value.term, Const):
            return value.term.value is True or value.term.value == _LONGEST
        return isinstance(value, Library) and self.program.knowledge.paddings.get(value.name) == "to-longest"

    def _depends(self, length: Given) -> bool:
        """Whether it is not certain that a length is given, and which."""
        return length.constants() is None or None in (length.constants() or [])

    def _evens(self, function: Function, frame: Frame) -> bool:
        """Whether a function also pads to a size of its own, or asks if it runs on XLA."""
        for node in deep(self.program, function.body, frame):
            if isinstance(node, If) and self.xla.asks(node.condition, frame):
                return True
            if isinstance(node, CallStep):
                if any(self.xla.asks(condition, frame) for condition in choices(node)):
                    return True
                for value in self.program.values(node.term.callee, frame):
                    if isinstance(value, Library) and self.program.knowledge.paddings.get(value.name) == "fixed":
                        return True
        return False

    def _fixed_elsewhere(self, frame: Frame) -> bool:
        """Whether a tokenizer of the file is asked for one length, so that nothing is left to a collate object."""
        for name in {key.rpartition(".")[2] for key in self.program.knowledge.paddings} | set(self.program.knowledge.receivers):
            for site in self.batches.asked.index.sites.get(name, ()):
                if site.module != frame.module:
                    continue
                own = self.program.frame(site.module, site.function)
                for keyword, term in site.call.term.kwargs:
                    values = self.program.values(term, own) if keyword == "padding" else ()
                    if not all(self._says_longest(value) or _is_false(value) for value in values):
                        return True
        return False


def _is_literal(term: Term) -> bool:
    """A constant, or a list of them."""
    return isinstance(term, Const) or (isinstance(term, SequenceDisplay) and all(map(_is_literal, term.items)))


def _is_false(value: Value) -> bool:
    return isinstance(value, Other) and isinstance(value.term, Const) and value.term.value is False
