"""Dynamic shapes: what makes XLA compile a training step again, shapes by value, ragged or padded batches.

Where a slice's length is up to a tensor: bounds that are read from its values (``x[:, : lengths.max()]``).

Shapes that depend on values, in what a training step on XLA runs.

Home-made padding: a collate function that measures the longest item of its batch, and makes what is as long as
that.

``longest = max(len(row) for row in batch)`` and then ``torch.zeros(len(batch), longest)``, or ``[pad] * (longest -
len(row))``. Where the length is rounded up or compared with a bound first, somebody has thought of it.

Padding: which loops get batches that are padded to the longest item of each, so that no two need have one length.

What makes XLA compile a training step again: batches of another size or length.

This is what the rules ask; the model behind it is in ``xla``, ``batches``, ``padding`` and ``dynamic``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.domains.batch_sizes import Batches, makers, statement_of
from trainlint.domains.constructor_arguments import Given
from trainlint.domains.xla.registered_models import Supposed, registered_modules
from trainlint.domains.xla.tensors import Tensors
from trainlint.domains.xla.training_loops import Loaded, Xla, XlaLoop
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    BoolOp,
    Call,
    Comprehension,
    Const,
    Element,
    List,
    Nested,
    Not,
    Param,
    Select,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Keep, Statement
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of
from trainlint.program.consteval import choices, deep
from trainlint.program.def_use import made_in
from trainlint.program.enclosing import surroundings
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.running_calls import each_call, executed
from trainlint.program.sources import passed
from trainlint.program.values import Argument, Context, Instance, Library, LibraryObject, Unresolved, Value


class Bounds:
    """Questions about the bounds of slices, each in an activation."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self.program = tensors.program
        self.knowledge = tensors.program.knowledge

    def of_slice(self, key: Term, frame: Context) -> Term | None:
        """The bound of a slice (or of one among several, ``x[:, :n]``) that a tensor's values say; None when there is none."""
        for part in key.items if isinstance(key, Tuple) else (key,):
            if isinstance(part, Slice):
                for bound in part.subterms():
                    if self.read(bound, frame):
                        return bound
        return None

    @remembered(False)
    def read(self, term: Term, frame: Context) -> bool:
        """Whether a term is certainly made of the values of a tensor on the device: the tensor computed, or numbers read from it.

        An item of a batch by itself is not: the number may have been one all along.
        """
        if isinstance(term, Param):
            bound = frame.given(term)
            return isinstance(bound, Argument) and self.read(bound.term, bound.frame)
        if isinstance(term, Select):
            return self.read(term.then, frame) and self.read(term.other, frame)
        if isinstance(term, BinOp):
            return any(self.read(part, frame) for part in term.sides)
        if isinstance(term, Element):
            return self._each(term.of, None, frame)
        if isinstance(term, Subscript):
            container, key = term.base, term.key
            if isinstance(container, Element):
                return self._each(container.of, key, frame)
            return self.read(container, frame)
        return isinstance(term, Call) and self._call(term, frame)

    def _call(self, call: Call, frame: Context) -> bool:
        callee = call.callee
        for value in self.program.values(callee, frame):
            word = self.knowledge.reads.get(value.name) if isinstance(value, Library) else None
            if word is not None:
                reads = word == "values" and any(self.tensors.on_device(argument, frame) for argument in call.args)
                return reads or any(self.read(argument, frame) for argument in call.args)
        if isinstance(callee, Attr):
            receiver, name = callee.base, callee.name
            if name in self.knowledge.reads:
                return self.tensors.on_device(receiver, frame) or self.read(receiver, frame)
            if name in self.knowledge.on_host:
                return False
            if self.read(receiver, frame):
                return True
        if self.tensors.on_device(call, frame):
            return True
        returned = self.tensors.returned(call, frame, None)
        return bool(returned) and all(self.read(term, inner) for term, inner in returned)

    def _each(self, iterated: Term, key: Term | None, frame: Context) -> bool:
        """Whether what a loop hands out (of several things, the one under ``key``) was read from a tensor."""
        return any(self.read(term, inner) for term, inner in self._handed_out(iterated, key, frame))

    def _handed_out(self, iterated: Term, key: Term | None, frame: Context) -> Iterator[tuple[Term, Context]]:
        position = key.value if key is not None and isinstance(key, Const) else None
        for value in self.program.values(iterated, frame):
            shape = self.knowledge.iterates.get(value.name) if isinstance(value, LibraryObject) else None
            if isinstance(value, LibraryObject) and shape is not None and value.call is not None and value.frame is not None:
                arguments = value.call.args
                if shape == "zipped" and type(position) is int and 0 <= position < len(arguments):
                    yield arguments[position], value.frame
                elif (shape == "same" or (shape == "indexed" and position == 1)) and arguments:
                    yield arguments[0], value.frame
            elif key is None:
                yield iterated, frame


class Dynamic(NamedTuple):
    """A place of a training step on XLA where a shape, or the program itself, depends on a tensor's values.

    ``what`` is "shape" (a call whose result has as many items as the values say), "mask" (items picked by a boolean
    mask, used in this call), "store" (items that a mask picks are set in this statement), "bound" (a call whose value
    bounds a slice), "slice" (a slice with such a bound is used in this call) or "branch" (a test of a tensor's values).
    """

    what: str
    loop: XlaLoop
    frame: Context
    spot: Spot
    node: str
    statement: Spot
    origin: tuple[str, Spot] | None = None
    """For a "slice": the file and the call, in a caller, that the bound comes from."""
    registered: tuple[str, Spot] | None = None
    """Where the model is put into a table from which the loop may get it; None when the loop is seen to train it."""


class _Walk:
    """One training loop: what it runs, function by function."""

    def __init__(self, program: Program, loop: XlaLoop, tensors: Tensors) -> None:
        self.program = program
        self.loop = loop
        self.xla = program.ask(Xla)
        self.tensors = tensors
        self.bounds = Bounds(self.tensors)
        self.seen: set[tuple[int, tuple[str, ...]]] = set()
        self.picked: set[Term] = set()

    def block(self, block: Block, frame: Context) -> Iterator[Dynamic]:
        """What depends on values in a block and in what it calls, in every step and whatever it runs on."""
        for node, here in executed(block, frame, self._inside, self._callees):
            if isinstance(node, CallStep):
                yield from self._call(node, here)
            elif isinstance(node, Keep):
                yield from self._stored(node, here)
            elif isinstance(node, Exit) and node.kind == "return" and "lambda" not in here.function.name:
                # A lambda has no statement to point at.
                yield from self._used((node.value,) if node.value is not None else (), here, node.spot, "Return", node.spot)

    def _inside(self, block: Block, frame: Context) -> Iterator[Statement]:
        return deep(self.program, block, frame, self.xla.not_in_each_step)

    def _call(self, node: CallStep, frame: Context) -> Iterator[Dynamic]:
        term = node.term
        word = self.tensors.word(term, frame)
        operand = self.tensors.operand(term)
        if word is not None and operand is not None and self.tensors.on_device(operand, frame):
            alone = len(term.args) == 1 and not term.kwargs
            if word == "data" or (word == "one-argument" and alone):
                yield Dynamic("shape", self.loop, frame, term.site, "Call", node.statement)
            elif word == "truth" and self._decides(term, frame):
                yield Dynamic("branch", self.loop, frame, term.site, "Call", node.statement)
        parts = [term.callee, *term.args, *(value for _, value in term.kwargs)]
        yield from self._used(parts, frame, term.site, "Call", node.statement)

    def _stored(self, node: Keep, frame: Context) -> Iterator[Dynamic]:
        """``x[mask] = value``, ``x[mask] += value``: the mask becomes the places of what is true in it."""
        if isinstance(node.target, Subscript):
            for found in self._used((node.target, node.value), frame, node.spot, node.kind, node.spot):
                yield found._replace(what="store") if found.what == "mask" else found

    def _used(self, parts: Iterable[Term], frame: Context, spot: Spot, node: str, statement: Spot) -> Iterator[Dynamic]:
        """What is picked or cut in the terms that are used at a place: a mask once, each bound of a slice at its own call."""
        found = [picked for part in parts for picked in self._picked(part, frame)]
        if any(bound is None for bound in found):
            yield Dynamic("mask", self.loop, frame, spot, node, statement)
        for bound in found:
            if bound is not None:
                source, home = passed(bound, frame)
                call = self._first_call(source, home)
                if call is not None and home is frame:
                    yield Dynamic("bound", self.loop, frame, call.term.site, "Call", call.statement)
                else:
                    origin = (home.module, call.term.site) if call is not None else None
                    yield Dynamic("slice", self.loop, frame, spot, node, statement, origin)

    def _first_call(self, bound: Term, frame: Context) -> CallStep | None:
        """The call in the function of an activation that a bound comes from."""
        asked = self.program.ask_of(surroundings, frame.function)
        waiting, seen = [bound], {bound}
        while waiting:
            term = waiting.pop(0)  # the nearest
            if term in asked.calls and self.bounds.read(term, frame):
                return next(node for node, _ in asked.places if node.term is term)
            fresh = [part for part in term.subterms() if part not in seen]
            seen.update(fresh)
            waiting += fresh
        return None

    def _callees(self, node: CallStep, frame: Context) -> Iterator[Context]:
        for target in self.tensors.targets(node.term, frame):
            inner = self.program.enter(target, node.term, frame)
            called = target.function.qualname
            bound = [name for name in inner.arguments if self.tensors.on_device(Param.new(called, name), inner)]
            key = (id(target.function), tuple(bound))
            if bound and key not in self.seen:
                self.seen.add(key)
                yield inner

    def _picked(self, term: Term, frame: Context) -> Iterator[Term | None]:
        """What of a term is as large as values say, for the first time (other calls are their own places).

        None for items that a boolean mask picks, the bound for a slice.
        """
        if isinstance(term, Subscript) and term not in self.picked and self.tensors.on_device(term.base, frame):
            keys = term.key.items if isinstance(term.key, Tuple) else (term.key,)
            bound = self.bounds.of_slice(term.key, frame)
            if bound is not None or any(self.tensors.is_mask(key, frame) for key in keys):
                self.picked.add(term)
                yield bound
        if not isinstance(term, (Call, Nested, Param, Element)):
            for part in term.subterms():
                yield from self._picked(part, frame)

    def _decides(self, call: Call, frame: Context) -> bool:
        """Whether a branch of a module's method depends on this very call, and both ways go on."""
        if not self.tensors.of_module(frame):
            return False
        for node in statements_of(frame.function):
            if isinstance(node, If) and _holds(node.condition, call):
                return not any(isinstance(inner, Exit) and inner.kind == "raise" for inner in (*node.body, *node.orelse))
        return any(_holds(condition, call) for node in statements_of(frame.function) for condition in choices(node))


def _holds(condition: Term, call: Call) -> bool:
    """Whether a condition is a call, or says something about it with ``not``, ``and``, ``or``."""
    return condition is call or (isinstance(condition, (Not, BoolOp)) and any(_holds(p, call) for p in condition.subterms()))


def dynamic_shapes(program: Program) -> Iterator[Dynamic]:
    """Every place of a training step on XLA where a shape depends on values, once."""
    seen: set[tuple[str, Spot]] = set()
    for found in _everywhere(program):
        key = (found.frame.module, found.spot)
        if key not in seen:
            seen.add(key)
            yield found


def _everywhere(program: Program) -> Iterator[Dynamic]:
    certain = [loop for loop in program.ask(Xla).training() if loop.evidence.certain]
    run: set[int] = set()
    for loop in certain:
        walked = _Walk(program, loop, Tensors(program))
        yield from walked.block(loop.body, loop.frame)
        run.update(function for function, _ in walked.seen)
    for model in registered_modules(program) if certain else ():
        frame = model.forward
        trained = [loop for loop in certain if program.together(loop.frame.module, frame.module)]
        if trained and id(frame.function) not in run:
            for found in _Walk(program, trained[0], Supposed(program, frame)).block(frame.function.body, frame):
                yield found._replace(registered=(frame.module, model.spot))


_SIGNED = ("Add", "Sub")
_ROUNDING = ("Mod", "FloorDiv", "Div")


def pads_to(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call that finds the largest of some numbers finds the longest item of the batch, and things are made as long."""
    if len(call.args) != 1 or call.kwargs or not _is_over_lengths(program, call.args[0], frame):
        return False
    sized = False
    for term in _made(frame):
        for part in parts_of(term):
            if isinstance(part, BinOp) and part.op in _ROUNDING and call in parts_of(part):
                return False
            sized = sized or _is_as_long(program, part, call, frame)
    return sized


def _made(frame: Context) -> Iterator[Term]:
    """The calls of a function, and what its comprehensions make."""
    for node in statements_of(frame.function):
        if isinstance(node, CallStep):
            yield node.term
    yield from (drawn.item for drawn in made_in(frame.function, Comprehension))


def _is_over_lengths(program: Program, term: Term, frame: Context) -> bool:
    """Whether numbers are the lengths of what the function is given: one for each."""
    if isinstance(term, Comprehension):
        given = any(isinstance(part, Param) and part.function == frame.function.qualname for part in parts_of(term.of))
        return given and not term.tests and _is_length(program, term.item, frame)
    return isinstance(term, Call) and len(term.args) > 1 and _measures(program, term.args[0], frame)  # ``map(len, rows)``


def _is_length(program: Program, term: Term, frame: Context) -> bool:
    """``len(row)``, ``row.shape[0]``, ``row.size(0)``."""
    if isinstance(term, Subscript):
        term = term.base
        return isinstance(term, Attr) and term.name in program.knowledge.measures
    return isinstance(term, Call) and (
        _measures(program, term.callee, frame)
        or (isinstance(term.callee, Attr) and term.callee.name in program.knowledge.measures)
    )


def _measures(program: Program, callee: Term, frame: Context) -> bool:
    found = (value.name for value in program.values(callee, frame) if isinstance(value, Library))
    return any(name.rpartition(".")[2] in program.knowledge.measures for name in found)


def _is_as_long(program: Program, term: Term, longest: Term, frame: Context) -> bool:
    """A tensor made with this size, or a list that is repeated as often as is missing."""
    if isinstance(term, BinOp) and term.op == "Mult":
        return any(isinstance(one, List) and _grows_with(other, longest) for one, other in (term.sides, term.sides[::-1]))
    if not isinstance(term, Call):
        return False
    sizes = [part for given in term.args for part in (given.items if isinstance(given, SequenceDisplay) else (given,))]
    if not any(_grows_with(size, longest) for size in sizes):
        return False
    names = (value.name for value in program.values(term.callee, frame) if isinstance(value, Library))
    return any(name in program.knowledge.filled for name in names)


def _grows_with(term: Term, longest: Term) -> bool:
    """Whether a number is the longest length, or that and more or less."""
    if term is longest:
        return True
    return isinstance(term, BinOp) and term.op in _SIGNED and any(_grows_with(part, longest) for part in term.subterms())


_LONGEST = "longest"
#: What bounds the lengths: with one of these given, the padding is somebody's choice.
_BOUNDS = ("pad_to_multiple_of", "total_length")


class Padded(NamedTuple):
    """A call that pads to the longest item: where it stands, and the length it could pad to instead, if one is given.

    ``chosen`` says that an argument of the call decides how it pads; otherwise it can do nothing else.
    """

    call: Call
    frame: Context
    chosen: bool
    length: Term | None


class Padding:
    """Questions about padding."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.batches: Batches = program.ask(Batches)
        self.xla: Xla = program.ask(Xla)

    def in_loop(self, body: Block, frame: Context) -> Iterator[Padded]:
        """The calls of a loop's own body that make batches and pad them to their longest item."""
        yield from self._in(body, frame, only=True)

    def in_loader(self, loader: LibraryObject | Instance) -> Iterator[Padded]:
        """The calls that pad a loader's batches to their longest item: in its collate function, or its collate object."""
        library = self.batches.asked.library(loader, "loader")
        if library is None:
            return
        collate = self.batches.given(loader, "collate_fn", library)
        if len(collate.values) == 1:  # a choice between two may be one between devices
            yield from self._collator(collate.values[0])
        for function, frame in self.batches.collates(loader, library) if len(collate.values) == 1 else ():
            if not self._evens(function, frame):
                yield from self._in(function.body, frame, only=False)

    def _collator(self, value: Value) -> Iterator[Padded]:
        """A library's collate object, made with arguments that leave it at the longest item."""
        if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
            return
        if self.program.knowledge.paddings.get(value.name) == "longest" and not self._fixed_elsewhere(value.frame):
            padded = self._judged(value.name, value.call, value.frame)
            if padded is not None:
                yield padded

    def _in(self, block: Block, frame: Context, *, only: bool) -> Iterator[Padded]:
        """The padding calls in a block and in what it calls; ``only`` those of tokenizers (in the loop itself)."""

        def inside(part: Block, here: Context) -> Iterator[Statement]:
            return deep(self.program, part, here, self.xla.not_in_each_step)

        called = each_call(self.program)

        def entered(node: CallStep, here: Context) -> Iterator[Context]:
            return (inner for inner in called(node, here) if not self._evens(inner.function, inner))

        for node, here in executed(block, frame, inside, entered):
            for value in self.program.values(node.term.callee, here) if isinstance(node, CallStep) else ():
                assert isinstance(node, CallStep)
                name = self._named(value)
                known = self.program.knowledge.paddings.get(name or "")
                if name is not None and (known == "asked" or (known in ("longest", "always") and not only)):
                    padded = self._judged(name, node.term, here)
                    if padded is not None:
                        yield padded
                elif known == "largest" and not only and pads_to(self.program, node.term, here):
                    yield Padded(node.term, here, False, None)

    def _named(self, value: Value) -> str | None:
        """The library name of a callee, or of the object that is called."""
        if isinstance(value, (Library, LibraryObject)):
            return value.name
        return self.program.assumed(value.term, value.frame.module) if isinstance(value, Unresolved) else None

    def _judged(self, name: str, call: Call, frame: Context) -> Padded | None:
        """The call, if its arguments leave it at the longest item whatever happens."""
        if call.args and _is_literal(call.args[0]):
            return None  # the same texts each time
        made = LibraryObject(name, call, frame)
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
        if isinstance(value, Unresolved) and isinstance(value.term, Const):
            return value.term.value is True or value.term.value == _LONGEST
        return isinstance(value, Library) and self.program.knowledge.paddings.get(value.name) == "to-longest"

    def _depends(self, length: Given) -> bool:
        """Whether it is not certain that a length is given, and which."""
        return length.constants() is None or None in (length.constants() or [])

    def _evens(self, function: Function, frame: Context) -> bool:
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

    def _fixed_elsewhere(self, frame: Context) -> bool:
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
    return isinstance(value, Unresolved) and isinstance(value.term, Const) and value.term.value is False


class RaggedLoader(NamedTuple):
    """A loader on XLA whose last batch may be short: the call that decides it, and the loop that trains on it.

    ``alone`` says that the call makes this loader only; ``keyword`` that ``drop_last`` can be set by keyword.
    """

    loop: XlaLoop
    call: Call
    frame: Context
    statement: Spot
    alone: bool
    keyword: bool


class PaddedBatches(NamedTuple):
    """A call that pads the batches of a training loop on XLA to their longest item.

    ``length`` says that the call names a length it could pad to, ``chosen`` that its arguments decide how it pads.
    """

    loop: XlaLoop
    call: Call
    frame: Context
    statement: Spot
    chosen: bool
    length: bool


def ragged_loaders(program: Program) -> Iterator[RaggedLoader]:
    """Every loader that trains on XLA and keeps a short last batch, once."""
    seen: set[tuple[str, Spot]] = set()
    for loop, loader in _loaders(program):
        if loader.prepared or not loop.evidence.certain or program.ask(Batches).skips(loop.body, loop.frame):
            continue  # who prepares loaders completes their batches; a script that may run on XLA may know about it
        made = program.ask(Batches).ragged(loader.loader)
        if made is None or made.call is None or made.frame is None:
            continue
        key = (made.frame.module, made.call.site)
        statement = statement_of(made.frame.function, made.call)
        if key in seen or statement is None:
            continue
        seen.add(key)
        keyword = isinstance(made, LibraryObject) and "drop_last" not in _positional(program, made)
        yield RaggedLoader(loop, made.call, made.frame, statement, makers(program, made) <= 1, keyword)


def _loaders(program: Program) -> Iterator[tuple[XlaLoop, Loaded]]:
    for loop in program.ask(Xla).training():
        for loader in loop.loaders:
            yield loop, loader


def _positional(program: Program, made: LibraryObject) -> list[str]:
    assert made.call is not None
    return program.knowledge.signatures.get(made.name, [])[: len(made.call.args)]


def padded_batches(program: Program) -> Iterator[PaddedBatches]:
    """Every call that pads the batches of a training loop on XLA to their longest item, once."""
    seen: set[tuple[str, Spot]] = set()
    asked = program.ask(Padding)
    for loop in program.ask(Xla).training():
        own = list(asked.in_loop(loop.body, loop.frame)) if loop.evidence.certain else []
        for padded in (*own, *(found for loaded in loop.loaders for found in asked.in_loader(loaded.loader))):
            key = (padded.frame.module, padded.call.site)
            statement = statement_of(padded.frame.function, padded.call)
            if key in seen or statement is None:
                continue
            seen.add(key)
            length = padded.length is not None and any(name == "padding" for name, _ in padded.call.kwargs)
            yield PaddedBatches(loop, padded.call, padded.frame, statement, padded.chosen, length)
