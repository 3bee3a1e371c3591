"""What loops are: which runs over the batches of a loader, which one around it counts the epochs, which trains or evaluates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.bindings import held_in_rounds
from trainlint.ir.control_dependence import Failed, tests_in, walk_tested
from trainlint.ir.nodes import (
    LITERALS,
    Attr,
    BoolOp,
    Call,
    Compare,
    Const,
    Display,
    Element,
    Global,
    ItemDisplay,
    Kwargs,
    LoopPhi,
    Not,
    Param,
    Ref,
    Select,
    Self,
    Star,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.operators import length_of_range
from trainlint.ir.order import Place, belongs_to, loops_around, made_within, within
from trainlint.ir.sketch import Block, CallStep, Exit, Function, Loop, Statement, Store, Try, With, Yield
from trainlint.ir.terms import is_call_of, parts_of
from trainlint.ir.walk import blocks_of, of_kind, placed, walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.consteval import deep, number
from trainlint.program.contexts import calling_contexts, site_of
from trainlint.program.induction import gone_through
from trainlint.program.leading import Leading
from trainlint.program.memo import is_busy, remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import activations, each_call, executed
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)


def is_range(program: Program, subject: Term, frame: Context) -> bool:
    """Whether what a loop goes over is ``range(...)``, or what gives the same numbers (table ``sizes``)."""
    if not isinstance(subject, Call):
        return False
    sizes = program.knowledge.sizes
    return any(isinstance(value, Library) and sizes.get(value.name) == "range" for value in program.values(subject.callee, frame))


def rounds_of(program: Program, loop: Loop, frame: Context) -> int | None:
    """How often a loop over a range runs, where that is written down."""
    if loop.kind != "for" or not isinstance(loop.subject, Call) or not is_range(program, loop.subject, frame):
        return None
    return length_of_range(*(number(program, each, frame) for each in loop.subject.args))


_VIEWS = frozenset(("items", "keys", "values"))


def counts(program: Program, subject: Term, frame: Context) -> bool:
    """Whether a loop counts, or goes over things that are written out: it draws nothing. One way to do so is enough."""
    if isinstance(subject, (Display, Kwargs)):
        return True
    if isinstance(subject, Select):
        return any(counts(program, part, frame) for part in subject.arms)
    if isinstance(subject, Param):
        bound = frame.given(subject)
        return isinstance(bound, Argument) and counts(program, bound.term, bound.frame)
    if is_range(program, subject, frame):
        return True
    if not isinstance(subject, Call):
        return False
    if isinstance(subject.callee, Attr) and subject.callee.name in _VIEWS:
        return counts(program, subject.callee.base, frame)
    for value in program.values(subject.callee, frame):
        shape = program.knowledge.iterates.get(value.name) if isinstance(value, Library) else None
        if shape == "range":
            return True
        if shape is not None and subject.args:
            return counts(program, subject.args[0], frame)
    return False


#: By what a loader draws: parameters, and attributes of it.
_SAMPLERS = ("sampler", "batch_sampler")


class BatchLoop(NamedTuple):
    """A pass over the batches of a loader, in one activation of its function.

    ``spot`` is the loop, or the ``iter(loader)`` whose items are then taken one by one.
    """

    frame: Context
    subject: Term
    spot: Spot
    around: tuple[Loop, ...]
    loader: LibraryObject | Instance


class Pass(NamedTuple):
    """A loop over something, or an ``iter(…)`` whose items a loop takes one by one; ``body`` is what runs for an item."""

    module: str
    function: Function
    subject: Term
    spot: Spot
    around: tuple[Loop, ...]
    body: Block


class EpochLoop(NamedTuple):
    """The loop around a batch loop that runs it once for each epoch; ``frame`` is the activation it stands in."""

    frame: Context
    loop: Loop
    outer: tuple[Loop, ...]
    batches: BatchLoop


def loops_of(function: Function) -> Iterator[tuple[Loop, tuple[Loop, ...]]]:
    """The loops of a function, each with the loops around it, outermost first."""
    return ((loop, loops_around(function, loop)) for loop in of_kind(function, Loop))


def loops_leading_to(place: Place, frame: Context) -> Iterator[tuple[Loop, Context]]:
    """The loops that run something again and again, innermost first, each with its activation.

    They stand around its place in the function of an activation, and around the calls that led there.
    """
    while True:
        yield from ((loop, frame) for loop in reversed(loops_around(frame.function, place)))
        if frame.call is None or frame.caller is None:
            return
        place, frame = frame.call, frame.caller


def stream_of(call: Call) -> Call | None:
    """The ``iter(loader)`` of which a call takes the next item: of ``next(stream)`` that call, if ``stream`` is nothing else."""
    stream = call.args[0] if is_call_of(call, "builtins.next") and call.args else None
    return stream if stream is not None and is_call_of(stream, "builtins.iter") and len(stream.args) == 1 else None


def runs_once(loop: Loop) -> bool:
    """Whether a loop surely has no second round: it goes over ``range(1)`` or ``[thing]``, or is left at the end of the first."""
    subject = loop.subject
    if loop.kind == "for" and isinstance(subject, ItemDisplay):
        return len(subject.items) <= 1 and not any(isinstance(item, Star) for item in subject.items)
    if loop.kind == "for" and is_call_of(subject, "builtins.range") and len(subject.args) == 1:
        return isinstance(subject.args[0], Const) and subject.args[0].value in (0, 1)
    last = loop.body[-1] if loop.body else None
    if not isinstance(last, Exit) or last.kind not in ("break", "return"):
        return False
    return not any(isinstance(node, Exit) and node.kind == "continue" for node in walk(loop.body))


def has_rounds(loop: Loop) -> bool:
    """Whether a loop has many rounds, for all that can be seen: it goes over nothing that is written down."""
    subject = loop.subject
    if loop.kind == "while":
        return True
    if isinstance(subject, LITERALS):
        return False
    if isinstance(subject, Call) and any(isinstance(each, Display) for each in subject.args):
        return False
    return not runs_once(loop)


class Loops:
    """Questions about loops, answered across functions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.leading = program.ask(Leading)
        self._training: tuple[Pass, ...] | None = None
        #: Blocks, by their ids, of which it is known whether they say some names: who asks of a loop asks of those in it, too.
        self._said: dict[tuple[int, frozenset[str], bool], tuple[Block, bool]] = {}

    def training_passes(self) -> tuple[Pass, ...]:
        """Every pass over something in which a model is trained."""
        if self._training is None:
            self._training = tuple(self._training_passes())
        return self._training

    def _training_passes(self) -> Iterator[Pass]:
        training = self.program.knowledge.training
        for path, function in list(self.program.functions()):
            if not of_kind(function, Loop):
                continue
            for subject, spot, around, body in self.passes(function):
                if self.says(path, function, body, training):
                    yield Pass(path, function, subject, spot, around, body)

    def endless_passes(self) -> Iterator[Pass]:
        """The passes of streams that begin the next one themselves, and are trained on: ``while True: yield from loader``."""
        for path, function in list(self.program.functions()):
            if function.generator and of_kind(function, Loop):
                for subject, spot, around, body in self.passes(function):
                    if around and has_rounds(around[-1]):
                        yield Pass(path, function, subject, spot, around, body)
        for site in self.index.sites.get("next", ()):
            around, given = loops_around(site.function, site.call), site.call.term.args
            body = around[-1].body if around and given else ()
            if body and self.says(site.module, site.function, body, self.program.knowledge.training):
                streams = self.program.values(given[0], self.program.frame(site.module, site.function))
                if any(map(self._begins_again, streams)):
                    yield Pass(site.module, site.function, given[0], site.call.term.site, around, body)

    def _begins_again(self, value: Value) -> bool:
        """Whether an object of the project hands out items of an iterator, and makes the next one itself."""
        method = self.program.method(ClassValue(value.module, value.cls), "__next__") if isinstance(value, Instance) else None
        return method is not None and any(last_name(call.term.callee) == "iter" for call in calls_of(method[1]))

    def batch_loops(self, kind: str) -> Iterator[BatchLoop]:
        """Training loops over loaders of which a part is of ``kind`` (see ``feeds``)."""
        for found in (*self.training_passes(), *self.endless_passes()):
            seen = set()
            for frame in calling_contexts(self.program, found.module, found.function):
                for loader in self.iterated(found.subject, frame):
                    key = (loader.call, frame.caller)
                    if key not in seen and any(True for _ in self.feeds(loader, kind)):
                        seen.add(key)
                        yield BatchLoop(frame, found.subject, found.spot, found.around, loader)

    def passes(self, function: Function) -> Iterator[tuple[Term, Spot, tuple[Loop, ...], Block]]:
        """What may run over a loader: ``for`` loops, ``yield from``, and ``iter(…)`` in a loop that takes items one by one."""
        for loop, around in loops_of(function):
            if loop.kind == "for":
                yield loop.subject, loop.spot, around, loop.body
            for node, inside in placed(loop.body):
                if not isinstance(node, (CallStep, Yield)) or any(isinstance(arm.region, Loop) for arm in inside):
                    continue
                if isinstance(node, Yield):
                    if node.whole and node.value is not None:
                        yield node.value, node.spot, (*around, loop), loop.body
                    continue
                if last_name(node.term.callee) == "iter" and len(node.term.args) == 1:
                    yield node.term.args[0], node.term.site, (*around, loop), loop.body
                for given in self._streamed(node.term):
                    yield given, node.term.site, (*around, loop), loop.body
                stream = stream_of(node.term)
                if stream is not None and not made_within(function, loop, stream):
                    # The pass begins where the iterator is made.
                    yield (
                        stream.args[0],
                        loop.spot,
                        tuple(each for each in around if made_within(function, each, stream)),
                        loop.body,
                    )

    def _streamed(self, call: Call) -> Iterator[Term]:
        """What an object iterates that a call makes, by the name of its class: ``Prefetcher(loader)``."""
        for names, name in self._streams().get(last_name(call.callee) or "", ()):
            place = names.index(name)
            yield from call.args[place : place + 1]
            yield from (given for keyword, given in call.kwargs if keyword == name)

    @remembered({})
    def _streams(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """By its name: the parameters of a class, and the one of which its objects have an iterator from the beginning."""
        found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for site in self.index.sites.get("iter", ()):
            given, made = site.call.term.args[:1], site.function
            if made.name == "__init__" and made.cls is not None and given and isinstance(given[0], Param):
                found.setdefault(made.cls.rpartition(".")[2], []).append((made.parameters[1:], given[0].name))
        return found

    def iterated(self, subject: Term, frame: Context, seen: set[Argument] | None = None) -> Iterator[LibraryObject | Instance]:
        """The loaders whose batches an iterated expression hands out (through ``enumerate``, ``tqdm``, wrappers)."""
        seen = set() if seen is None else seen
        here = Argument(subject, frame)
        if here in seen:
            return
        seen.add(here)
        iterates = self.program.knowledge.iterates
        for value in self._values(subject, frame):
            if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                shape = iterates.get(value.name)
                if shape in ("same", "indexed") and value.call.args:
                    yield from self.iterated(value.call.args[0], value.frame, seen)
                elif shape == "receiver" and isinstance(value.call.callee, Attr):
                    yield from self.iterated(value.call.callee.base, value.frame, seen)
                elif shape == "zipped":
                    for argument in value.call.args:
                        yield from self.iterated(argument, value.frame, seen)
                elif self.program.knowledge.kinds.get(value.name) == "loader":
                    yield from list(self._drawn_by(value, seen)) or (value,)
            elif isinstance(value, Instance) and value.call is not None and value.frame is not None:
                yield from self._wrapped(value, seen)
            elif isinstance(value, Unresolved) and isinstance(value.term, Call):
                yield from self._generated(value.term, value.frame, seen)

    def _values(self, term: Term, frame: Context) -> tuple[Value, ...]:
        """What a term can stand for; of an item, what may be in its container; of a name that a loop binds, what it got there."""
        values = self.program.values(term, frame)
        value = held_in_rounds(frame.function).get(term.name) if isinstance(term, LoopPhi) else None
        if value is not None:
            return self.program.values(value, frame)
        if isinstance(term, Subscript) and all(isinstance(value, Unresolved) for value in values):
            return self.program.propagation.anywhere(term, frame)
        return values

    def prepared(
        self, subject: Term, frame: Context, seen: frozenset[Argument] = frozenset()
    ) -> Iterator[LibraryObject | Instance]:
        """The loaders behind what a library's ``prepare(…)`` handed back in their place."""
        here = Argument(subject, frame)
        if here in seen:
            return
        seen |= {here}
        if isinstance(subject, Param):
            bound = frame.given(subject)
            if isinstance(bound, Argument):
                yield from self.prepared(bound.term, bound.frame, seen)
            return
        position = subject.key.value if isinstance(subject, Subscript) and isinstance(subject.key, Const) else 0
        for value in self.program.values(subject, frame):
            if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
                continue
            arguments = value.call.args
            if self.program.knowledge.kinds.get(value.name) == "prepared":
                if type(position) is int and -len(arguments) <= position < len(arguments):
                    yield from self.iterated(arguments[position], value.frame)
            elif self.program.knowledge.iterates.get(value.name) in ("same", "indexed") and arguments:
                yield from self.prepared(arguments[0], value.frame, seen)

    def _wrapped(self, value: Instance, seen: set[Argument]) -> Iterator[LibraryObject | Instance]:
        """An object of the project that is iterated: a loader's subclass, or something around a loader."""
        assert value.call is not None
        assert value.frame is not None
        cls = ClassValue(value.module, value.cls)
        if any(
            isinstance(c, Library) and self.program.knowledge.kinds.get(c.name) == "loader" for c in self.program.lineage(cls)
        ):
            yield value
            return
        for argument in (*value.call.args, *(v for _, v in value.call.kwargs)):
            yield from self.iterated(argument, value.frame, seen)

    def _drawn_by(self, loader: LibraryObject, seen: set[Argument]) -> Iterator[LibraryObject | Instance]:
        """The loaders by whose samplers a loader draws that is made of them for one pass, also with something around these."""
        assert loader.frame is not None
        pending = [(self.argument(loader, name), loader.frame) for name in _SAMPLERS]
        for term, frame in pending:
            if isinstance(term, Attr) and term.name in _SAMPLERS:
                yield from self.iterated(term.base, frame, seen)
            elif term is not None:
                made = [value for value in self.program.values(term, frame) if isinstance(value, Instance)]
                inner = [(self.argument(value, "sampler"), value.frame) for value in made if value.call is not None]
                pending += [(given, where) for given, where in inner if where is not None and (given, where) not in pending]

    def _generated(self, call: Call, frame: Context, seen: set[Argument]) -> Iterator[LibraryObject | Instance]:
        """What a generator function of the project yields from: the loops in its body, ``yield from``."""
        for target in self.index.targets(call, frame):
            if isinstance(target, FunctionValue) and target.function.generator and frame.follows(target.function):
                inner = self.program.enter(target, call, frame)
                for loop in of_kind(target.function, Loop):
                    yield from self.iterated(loop.subject, inner, seen)
                for node in of_kind(target.function, Yield):
                    if node.whole and node.value is not None:
                        yield from self.iterated(node.value, inner, seen)

    def argument(self, made: LibraryObject | Instance, name: str, library: str | None = None) -> Term | None:
        """The argument that a constructor call gives to the parameter ``name``."""
        assert made.call is not None
        for keyword, value in made.call.kwargs:
            if keyword == name:
                return value
        callee = library or (made.name if isinstance(made, LibraryObject) else "")
        signature = self.program.knowledge.signatures.get(callee, [])
        if name in signature and len(made.call.args) > signature.index(name):
            return made.call.args[signature.index(name)]
        return None

    def feeds(self, loader: LibraryObject | Instance, kind: str) -> Iterator[LibraryObject | Instance]:
        """The samplers of a kind that feed a loader: its ``sampler``, or the one in its ``batch_sampler``."""
        library = self.library(loader, "loader")
        frame = loader.frame
        assert frame is not None
        for name in _SAMPLERS:
            term = self.argument(loader, name, library)
            if term is not None:
                yield from self._samplers(term, frame, kind)

    def _samplers(
        self, term: Term, frame: Context, kind: str, around: tuple[Value, ...] = ()
    ) -> Iterator[LibraryObject | Instance]:
        for value in self._values(term, frame):
            if not isinstance(value, (LibraryObject, Instance)) or value.call is None or value.frame is None:
                continue
            if self.library(value, kind):
                yield value
            elif self.library(value, "batch-sampler") and value not in around:
                inner = self.argument(value, "sampler", self.library(value, "batch-sampler"))
                if inner is not None:
                    yield from self._samplers(inner, value.frame, kind, (*around, value))

    def library(self, value: Value, kind: str) -> str | None:
        """The library class of a kind that a value is an object of, directly or by inheritance."""
        kinds = self.program.knowledge.kinds
        if isinstance(value, LibraryObject):
            return value.name if kinds.get(value.name) == kind else None
        if isinstance(value, Instance):
            for cls in self.program.lineage(ClassValue(value.module, value.cls)):
                if isinstance(cls, Library) and kinds.get(cls.name) == kind:
                    return cls.name
        return None

    # -- epochs ----------------------------------------------------------------------------------------------------

    def epoch_loop(self, batches: BatchLoop) -> EpochLoop | None:
        """The loop that runs a batch loop again and again: around it, or the call that leads to it, or in what it draws from."""
        for loop, frame in (*loops_leading_to(batches.spot, batches.frame), *self._within_generators(batches)):
            one = not _draws(loop, batches.subject) or self._counts(loop, frame)
            again = one and not self._made_inside(batches.loader, loop, frame)
            if again and not self._literal(loop.subject):
                return EpochLoop(frame, loop, loops_around(frame.function, loop), batches)
        return None

    def _within_generators(self, batches: BatchLoop) -> Iterator[tuple[Loop, Context]]:
        """The loops around that over the loader, in the generator of the project whose items a batch loop goes over."""
        own = (loop for loop, _ in loops_of(batches.frame.function) if loop.spot == batches.spot)
        for each in (each for loop in own for each in gone_through(self.program, loop, batches.frame)):
            call, frame = each
            for target in self.index.targets(call, frame) if isinstance(call, Call) else ():
                if not isinstance(call, Call) or not isinstance(target, FunctionValue):
                    continue
                if target.function.generator and frame.follows(target.function):
                    inner = self.program.enter(target, call, frame)
                    for loop, around in loops_of(target.function):
                        if around and batches.loader in self.iterated(loop.subject, inner):
                            yield from ((outer, inner) for outer in reversed(around))

    def _counts(self, loop: Loop, frame: Context) -> bool:
        """Whether a loop goes over a generator of the project that counts: ``for epoch in range(n): yield epoch, loader``."""
        call = loop.subject
        found = self.index.targets(call, frame) if isinstance(call, Call) else ()
        inside = [self.program.frame(each.module, each.function) for each in found if isinstance(each, FunctionValue)]
        around = [(loops_around(each.function, node), each) for each in inside for node in of_kind(each.function, Yield)]
        return bool(around) and all(
            len(loops) == 1 and is_range(self.program, loops[0].subject, inner) for loops, inner in around
        )

    def _literal(self, subject: Term) -> bool:
        """Loops over a few written-out things (phases, folds) are no epochs."""
        return isinstance(subject, Display)

    def _made_inside(self, loader: LibraryObject | Instance, loop: Loop, frame: Context) -> bool:
        """Whether the loader is made anew by each round of the loop."""
        assert loader.call is not None
        assert loader.frame is not None
        if loader.frame.function is frame.function:
            return within(frame.function, loop, loader.call)
        inner: Context | None = loader.frame
        while inner is not None and inner.caller is not None:
            if inner.caller.function is frame.function:
                site = site_of(self.program, inner)
                if site is None:
                    return False
                return within(frame.function, loop, site.call.term)
            inner = inner.caller
        return False

    # -- what runs in a block ---------------------------------------------------------------------------------------

    def says(self, module: str, function: Function, block: Block, names: frozenset[str], *, old: bool = False) -> bool:
        """Whether a call by one of these names runs in a block, or in anything that is called from it.

        Callees that are not known count by their method's name: every method of that name is looked into. ``old``: what a
        constructor calls does not count, since it is done to a new object.
        """
        if not self.may_say(function, names):
            return False
        frame = self.program.frame(module, function)
        if block is function.body:
            nodes: tuple[Statement, ...] = (*calls_of(function), *of_kind(function, With))
            return any(self._step_says(node, frame, names, old=old) for node in nodes)
        known = self._said.get((id(block), names, old))
        if known is None:
            said = any(
                self._step_says(node, frame, names, old=old) or self._says_below(node, frame, names, old=old) for node in block
            )
            known = block, said
            if said or not is_busy(self):  # what leads back to an open question says nothing there
                self._said[id(block), names, old] = known
        return known[1]

    def _says_below(self, node: Statement, frame: Context, names: frozenset[str], *, old: bool) -> bool:
        return any(self.says(frame.module, frame.function, part, names, old=old) for part in blocks_of(node) if part)

    def _step_says(self, node: Statement, frame: Context, names: frozenset[str], *, old: bool) -> bool:
        """Whether such a call runs where a statement begins: it is one, or enters a context manager that makes one."""
        if isinstance(node, CallStep):
            return self.call_says(node.term, frame, names, old=old)
        items = node.items if isinstance(node, With) else ()
        made = (item for item in items if isinstance(item, Call) and last_name(item.callee) in self.leading.by_name(names).names)
        managers = (each for item in made for each in self.index.managed(item, frame))
        run = (side for each in managers for side in (each.enter, each.leave))
        return any(each is not None and self.function_says(each.module, each.function, names, old=old) for each in run)

    def round_says(self, module: str, function: Function, loop: Loop, names: frozenset[str]) -> bool:
        """Whether a call by one of these names runs in a round of a loop: in its body, or in the generator that it draws from."""
        if self.says(module, function, loop.body, names):
            return True
        drawn = gone_through(self.program, loop, self.program.frame(module, function))
        calls = ((each.term, each.frame) for each in drawn if isinstance(each.term, Call))
        targets = (target for call, frame in calls for target in self.index.targets(call, frame))
        return any(isinstance(each, FunctionValue) and self.function_says(each.module, each.function, names) for each in targets)

    def may_say(self, function: Function, names: frozenset[str]) -> bool:
        """Whether a function has a call that may lead to one of these names, by names alone, or one without a name."""
        return id(function) in self.index.nameless or function in self.leading.by_name(names).functions

    def call_says(self, call: Call, frame: Context, names: frozenset[str], *, old: bool = False) -> bool:
        """Whether a call has one of these names, or runs something that makes such a call (see ``says``)."""
        name = last_name(call.callee)
        if name in names:
            return True
        if name is not None and name not in self.leading.by_name(names).names and isinstance(call.callee, (Ref, Global, Attr)):
            return False
        targets = [t for t in self.index.targets(call, frame) if isinstance(t, FunctionValue)]
        found = [(t.module, t.function) for t in targets]
        if not found and isinstance(call.callee, Attr) and name is not None:
            common = self.program.knowledge.common_methods
            found = self.program.methods_named(name, frame.module) if name not in common else []
        return any(self.function_says(m, f, names, old=old) for m, f in found if not (old and f.name == "__init__"))

    @remembered(False)
    def function_says(self, module: str, function: Function, names: frozenset[str], *, old: bool = False) -> bool:
        """Whether a function makes such a call, directly or through others, or what a decorator puts in its place does."""
        if self.says(module, function, function.body, names, old=old):
            return True
        if not function.decorators:
            return False
        from trainlint.program.indirect_calls import Decorated

        around = self.program.ask(Decorated).wrappers(module, function)
        return any(self.function_says(each.module, each.function, names, old=old) for each in around)


def _draws(loop: Loop, subject: Term) -> bool:
    """Whether what a batch loop goes over is drawn by a loop around it (one loader after the other), or chosen by what is."""
    return any(isinstance(part, Element) and part.of is loop.subject for part in parts_of(subject))


def trains(program: Program, block: Block, frame: Context) -> bool:
    """Whether something is trained in a block in this very activation: ``if train:`` with a false ``train`` does not run."""
    asked, names = program.ask(Loops), program.knowledge.training

    def surely(call: Call, here: Context) -> bool:
        targets = [t for t in asked.index.targets(call, here) if isinstance(t, FunctionValue)]
        is_last = last_name(call.callee) in names or not targets
        return is_last or any(not here.follows(target.function) for target in targets)

    def entered(node: CallStep, here: Context) -> Iterator[Context]:
        return activations(program, node.term, here) if asked.call_says(node.term, here, names) else iter(())

    run = executed(block, frame, partial(deep, program), entered)
    return any(
        isinstance(node, CallStep) and asked.call_says(node.term, here, names) and surely(node.term, here) for node, here in run
    )


def repeats(program: Program, block: Block, frame: Context, names: frozenset[str]) -> bool:
    """Whether a loop in a block, or in what it calls, makes such a call: if that is a step, a round of the block is an epoch."""
    asked, below = program.ask(Loops), each_call(program)
    run = executed(
        block,
        frame,
        lambda each, _: walk(each),
        lambda node, here: below(node, here) if asked.call_says(node.term, here, names) else (),
    )
    return any(isinstance(node, Loop) and asked.says(at.module, at.function, node.body, names) for node, at in run)


def sampled(program: Program, call: CallStep, frame: Context) -> bool:
    """Whether the innermost loop (or comprehension) around a call repeats it with the same arguments."""
    around = loops_around(frame.function, call)
    if not around or around[-1].kind != "for":
        return False
    return not varies(program, call, frame.function, around[-1])


def varies(program: Program, call: CallStep, function: Function, loop: Loop) -> bool:
    """Whether a call is given something else in each round of a loop around it, or may be."""
    given = parts_of(*call.term.args, *(value for _, value in call.term.kwargs))
    return any(_varies(program, part, function, loop) for part in given)


def _varies(program: Program, part: Term, function: Function, loop: Loop) -> bool:
    """Whether something is another value in each round of a loop, or may be."""
    if isinstance(part, Element):
        return part.of is loop.subject
    if isinstance(part, LoopPhi):
        return belongs_to(loop, part)
    if isinstance(part, Unknown):
        return made_within(function, loop, part)
    if not isinstance(part, Call) or not within(function, loop, part):
        return False
    same = program.knowledge.tensor_methods | program.knowledge.fluent
    return not (isinstance(part.callee, Attr) and part.callee.name in same)


#: What a term has that is another one in each round of the loop it stands in, with the place of its line among its parts.
_PLACED = (Element, LoopPhi, Unknown)


def in_each_round(loop: Loop, node: CallStep | Call) -> bool:
    """Whether a call is made in each round of a loop, which has several."""
    if runs_once(loop):
        return False
    if any(isinstance(each, Exit) and each.kind in ("break", "return", "exit") for each in loop.body):
        return False
    if any(isinstance(each, Try) for each in loop.body):
        return False  # until it works
    call = node.term if isinstance(node, CallStep) else node
    runs = walk_tested(loop.body, going_on=True)
    led = next((led for each, led in runs if isinstance(each, CallStep) and each.term is call), None)
    if not led:
        return led is not None
    in_arm = any(tests_in(around) for each, around in placed(loop.body) if isinstance(each, CallStep) and each.term is call)
    return not in_arm and not any(_may_pin(test, arm) for test, arm in led)


def _may_pin(test: Term | Failed, arm: bool) -> bool:
    """Whether a test that rounds leave early by may let only one of them go on: of a number, or of what is set meanwhile."""
    if isinstance(test, Failed) or any(isinstance(part, (Attr, Global, LoopPhi)) for part in parts_of(test)):
        return True
    return isinstance(test, Compare) and test.op == ("Eq" if arm else "NotEq")


def is_fixed(term: Term, function: Function, loop: Loop) -> bool:
    """Whether a term is the same in each round of a loop."""
    for part in parts_of(term):
        if isinstance(part, Call) and within(function, loop, part):
            return False
        if isinstance(part, _PLACED) and made_within(function, loop, part):
            return False
    return True


def is_decided(program: Program, test: Term, frame: Context, loop: Loop, home: Context) -> bool:
    """Whether a test has one answer in all rounds of a loop of ``home``: it asks for nothing that may be set meanwhile.

    The test may stand in what a round calls; then of what that was given.
    """
    for part in parts_of(test):
        if isinstance(part, (Attr, Global)) and part.name in program.ask(set_later):
            return False
        given = frame.given(part) if isinstance(part, Param) and frame is not home else None
        if isinstance(given, Argument):
            if not is_decided(program, given.term, given.frame, loop, home):
                return False
        elif frame is not home and not isinstance(part, (Const, Compare, BoolOp, Not, Attr, Self)):
            return False
    return frame is not home or is_fixed(test, frame.function, loop)


def set_later(program: Program) -> frozenset[str]:
    """The names of attributes and globals that are set anywhere but where their object is made."""
    stores = [node for _, each in program.functions() if each.name != "__init__" for node in of_kind(each, Store)]
    return frozenset(node.target.name for node in stores if isinstance(node.target, (Attr, Global)))
