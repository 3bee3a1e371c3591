"""What a term is worth where ranks have data of their own (see :mod:`trainlint.domains.rank_local_data`).

Such a value is a :class:`~trainlint.spmd.symbols.Uniform` like any unknown, but its key is a
:class:`~trainlint.spmd.symbols.Data`: two ranks need not agree on it. It goes through arithmetic, comparisons and what the
table ``data.derives`` lists; a function that is not known ends it, and so does a collective.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from trainlint.domains.files import PATH, Operations
from trainlint.domains.rank_local_data import RankLocalData, Source
from trainlint.domains.reproducibility import is_unseeded
from trainlint.ir.bindings import held_in_rounds
from trainlint.ir.control_dependence import Failed, or_raises
from trainlint.ir.nodes import (
    Attr,
    Augmented,
    BinOp,
    Call,
    Compare,
    Const,
    Element,
    Global,
    Invert,
    List,
    LoopPhi,
    Nested,
    Param,
    Ref,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.operators import NEGATED
from trainlint.ir.sketch import Try, Yield
from trainlint.ir.terms import is_call_of, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.contexts import contexts_at
from trainlint.program.loops import is_range
from trainlint.program.program import Program
from trainlint.program.sources import reached
from trainlint.program.stores import Contents
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library
from trainlint.spmd.attribute_stores import Attributes, Setting
from trainlint.spmd.heap_state import HeapState
from trainlint.spmd.items import Items
from trainlint.spmd.local_failures import Failing
from trainlint.spmd.operators import Operators
from trainlint.spmd.origins import Origins
from trainlint.spmd.per_rank_data import ALIKE, APART, batches_of_loader, drawn_in
from trainlint.spmd.questions import ANY
from trainlint.spmd.ranks import Evaluator, Parts
from trainlint.spmd.runs import Runs
from trainlint.spmd.symbols import UNKNOWN, Choice, Data, Something, Uniform, data_in, failure, negated, swallowed

#: Where a batch is told from an epoch's number: what only something drawn from a loader can be.
_BATCH, _LOSS, _ANSWER = "batch", "loss", "answer"
#: The word of calls that answer yes or no themselves, each rank for its own work.
_PROGRESS = "progress"
#: The word of random numbers: each rank's own where nobody seeds the generator.
_DRAWN = "drawn"
#: What is done with numbers, and never with a batch.
_OF_NUMBERS = ("Mod", "FloorDiv")
#: Calls of a method that are asked what they hand it.
_CALLS = 8
#: Loops over these bind several things, of which not all are drawn.
_TUPLES = ("indexed", "zipped")
#: These hand on what they are given, item by item.
_SAME = "same"
#: Comparisons of a size that ask whether there is anything at all.
_EMPTY = {("Eq", 0), ("NotEq", 0), ("Gt", 0), ("LtE", 0), ("Lt", 1), ("GtE", 1)}


def _is_whole(data: Data) -> bool:
    """Whether data is what a loop drew, or one of a tuple; which named parts a batch has is the same for all of them."""
    term = data.key[0]
    while isinstance(term, Subscript) and isinstance(term.key, Const) and type(term.key.value) is int:
        term = term.base
    return isinstance(term, Element)


class _Criteria:
    """With what losses are computed, once one of the evaluators has found it out."""

    def __init__(self, _program: Program) -> None:
        self.found: frozenset[Uniform] | None = None


class RankData:
    """What a rank has for itself: ``own``, from proven sources, what loops draw, and what fails on it alone.

    ``draws`` says what a loop draws as batches, ``trained_in`` whether a parallel model is trained in the body of a ``try``.
    """

    def __init__(
        self,
        program: Program,
        own: RankLocalData,
        draws: Callable[[Element, Context], Source | None],
        trained_in: Callable[[Try, Context], bool],
    ) -> None:
        self.program = program
        self.own = own
        self.draws = draws
        self.trained_in = trained_in
        self.failing = program.ask(Failing)

    def drawn(self, item: Element, term: Term, frame: Context) -> Uniform:
        """What a loop draws (``item``), or the part of it that is the batch."""
        source = self.draws(item, frame)
        return Uniform((term, frame)) if source is None else Uniform(Data((term, frame), source))

    def shape(self, subject: Term, frame: Context) -> str | None:
        """What the items of an iterated expression are like (table ``iterates``), also of what hands on the same ones."""
        shapes = (self._shape(*each) for each in reached(self.program, subject, frame, self._handed_on))
        return next((shape for shape in shapes if shape not in (None, _SAME)), None)

    def _shape(self, subject: Term, frame: Context) -> str | None:
        callees = self.program.values(subject.callee, frame) if isinstance(subject, Call) else ()
        shapes = (self.program.knowledge.iterates.get(value.name) for value in callees if isinstance(value, Library))
        return next((shape for shape in shapes if shape is not None), None)

    def _handed_on(self, subject: Term, frame: Context) -> list[Argument]:
        """Whose items an expression hands on as they are: those of what a generator goes over, of the argument of ``iter``."""
        if not isinstance(subject, Call):
            return []
        shape = self._shape(subject, frame)
        if shape is None:
            return [*self._generated(subject, frame)]
        return [Argument(given, frame) for given in subject.args[:1]] if shape == _SAME else []

    def _generated(self, call: Call, frame: Context) -> Iterator[Argument]:
        """What a generator of the project goes over and yields as it is: ``for x in xs: yield x``, ``yield next(iter(xs))``."""
        for callee in self.program.values(call.callee, frame):
            if isinstance(callee, FunctionValue) and callee.function.generator:
                yielded = [node for node in of_kind(callee.function, Yield) if node.value is not None]
                if len(yielded) == 1 and yielded[0].value is not None:
                    source = yielded[0].value if yielded[0].whole else _drawn_from(yielded[0].value)
                    given = self.program.enter(callee, call, frame).given(source) if isinstance(source, Param) else None
                    if isinstance(given, Argument):
                        yield given
                        return


def _drawn_from(term: Term) -> Term | None:
    """``xs`` of an item that a loop over it draws, or ``next``."""
    drawn = term.of if isinstance(term, Element) else term.args[0] if is_call_of(term, "builtins.next") and term.args else None
    return drawn.args[0] if drawn is not None and is_call_of(drawn, "builtins.iter") and drawn.args else drawn


class TwinHeap(HeapState):
    """Knows which handlers run on one rank alone."""

    def __init__(self, data: RankData, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.data = data

    def failed(self, failed: Failed, frame: Context) -> Any:
        attempt, handler = failed
        if self.data.failing.failing(attempt, frame) != handler:
            return super().failed(failed, frame)
        return failure(attempt, handler, frame)


class TwinRuns(Runs):
    """Runs functions in which a rank may fail alone, or returns what ranks met over."""

    def __init__(self, data: RankData, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.data = data

    def handled(self, attempt: Try, frame: Context) -> tuple[Uniform, int] | None:
        """The condition that a handler of a ``try`` runs on one rank alone, and which handler."""
        index = self.data.failing.failing(attempt, frame)
        return None if index is None else (failure(attempt, index, frame), index)

    def _returned(self, term: Term | None, frame: Context) -> Any:
        result = super()._returned(term, frame)
        if term is not None and data_in(result) is not None and self.data.own.equal(term, frame):
            return Uniform((term, frame))
        return result


class TwinOperators(Operators):
    """What is computed with data of its own, and tests of it."""

    def __init__(self, data: RankData, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.data = data

    def of_arithmetic(self, term: BinOp, frame: Context) -> Any:
        result = super().of_arithmetic(term, frame)
        if term.op in _OF_NUMBERS and _is_drawn(term.left):
            return result  # what a loop draws, and is divided as it is, is the number of the round
        if isinstance(result, Uniform):
            data = data_in(self.evaluator.value(term.left, frame)) or data_in(self.evaluator.value(term.right, frame))
            if data is not None:
                return Uniform(Data((term, frame), data.source, size=data.size, raw=data.raw))
        return result

    def of_inverted(self, term: Invert, frame: Context) -> Any:
        data = data_in(self.evaluator.value(term.operand, frame))
        return super().of_inverted(term, frame) if data is None else Uniform(Data((term, frame), data.source, size=data.size))

    def _compared(self, name: str, left: Any, right: Any, term: Compare, frame: Context, asked: bool) -> Any:
        if left is None or right is None:
            left, right = _read(left), _read(right)
        sides = [side.key for side in (left, right) if isinstance(side, Uniform) and isinstance(side.key, Data)]
        if not sides:
            return super()._compared(name, left, right, term, frame, asked)
        data = sides[0]
        other = right if isinstance(left, Uniform) and left.key is data else left
        if other is None:  # a function that is on its guard against None says nothing of what the loop draws that calls it
            if data.source.word != _BATCH or data.size or not _is_whole(data) or self._side_by_side(data) or data.key[1] != frame:
                return super()._compared(name, left, right, term, frame, asked)
        elif data.size and ((name, other) not in _EMPTY or self._is_part(data.key[0])):
            return Uniform((term, frame))  # the last batch is smaller on every rank, and no batch has nothing in it
        positive = NEGATED.get(name)
        test = Uniform(Data((positive or name, term.left, term.right, frame), data.source))
        return test if positive is None else negated(test)

    def _side_by_side(self, data: Data) -> bool:
        """Whether an item was drawn beside another loader's (``zip``): with nothing to draw from there, all ranks have None."""
        term, frame = data.key[0], data.key[1]
        while isinstance(term, Subscript):
            term = term.base
        subject = term.of
        while isinstance(subject, Call):
            shape = self.data.shape(subject, frame)
            if shape == "zipped" or shape not in (_SAME, "indexed") or not subject.args:
                return shape == "zipped"
            subject = subject.args[0]
        return False

    def _is_part(self, size: object) -> bool:
        """Whether a size is that of what a loop draws, or of a part as it was drawn; what was picked out of it may be nothing."""
        known = self.data.program.knowledge
        while isinstance(size, Term) and not isinstance(size, Element):
            if (
                isinstance(size, Call)
                and isinstance(size.callee, Attr)
                and size.callee.name in (*known.measures, *known.fluent, *known.hands_out)
            ):
                size = size.callee.base
            elif (
                isinstance(size, Call)
                and isinstance(size.callee, Ref)
                and size.callee.name.rpartition(".")[2] in known.measures
                and size.args
            ):
                size = size.args[0]
            elif isinstance(size, (Attr, Subscript)) and (isinstance(size, Attr) or isinstance(size.key, Const)):
                size = size.base
            else:
                return False
        return isinstance(size, Element)


class TwinItems(Items):
    """What loops draw and leave behind, items of that, and what a ``try`` leaves behind."""

    def __init__(self, data: RankData, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.data = data
        #: What loops leave behind that is being worked out.
        self._computing: set[tuple[Term, Context]] = set()

    def of_element(self, term: Element, frame: Context) -> Any:
        if term in self.evaluator.loops or self.data.shape(term.of, frame) in _TUPLES:
            return super().of_element(term, frame)
        return self.data.drawn(term, term, frame)

    def of_carried(self, term: LoopPhi, frame: Context) -> Any:
        """What a loop leaves behind: data of its own, if a round computes it from such."""
        known = super().of_carried(term, frame)
        if type(known) is not Uniform:
            return known
        key = (term, frame)
        value = held_in_rounds(frame.function).get(term.name)
        if value is None or key in self._computing:
            return Uniform(key)
        self._computing.add(key)
        try:
            data = data_in(self.evaluator.value(value, frame))
        finally:
            self._computing.discard(key)
        return Uniform(key) if data is None or data.raw else Uniform(Data(key, data.source, size=data.size))

    def of_unknown(self, term: Unknown, frame: Context) -> Any:
        """What a ``try`` leaves behind hangs on whether its body came to its end."""
        attempts = of_kind(frame.function, Try)
        for attempt in attempts:
            if attempt.spot[:2] == term.parts and len(attempt.handlers) == 1:
                index = self.data.failing.failing(attempt, frame)
                if index is not None:
                    return negated(failure(attempt, index, frame))
                if (
                    attempt.caught
                    and self.data.own.fails_alone(attempt.caught[0].kinds, frame)
                    and self.data.trained_in(attempt, frame)
                ):
                    return negated(swallowed(attempt, 0, frame))
                return Uniform((term, frame))
        return super().of_unknown(term, frame)

    def of_item(self, term: Subscript, frame: Context) -> Any:
        base, key = term.base, term.key
        if isinstance(base, Element) and isinstance(key, Const) and self.data.shape(base.of, frame) == "indexed":
            return self.data.drawn(base, term, frame) if key.value == 1 else Uniform((term, frame))
        if isinstance(base, Element) and isinstance(key, Const) and self._yields_a_count(base.of, key.value, frame):
            return Uniform((term, frame))
        return part_of(self.evaluator, super().of_item(term, frame), term, frame)

    def _yields_a_count(self, subject: Term, position: object, frame: Context) -> bool:
        """Whether a generator of the project yields the number of the round at this position, and the batch at another."""
        if not isinstance(subject, Call) or type(position) is not int:
            return False
        for value in self.program.values(subject.callee, frame):
            if isinstance(value, FunctionValue) and value.function.generator:
                inner = self.program.enter(value, subject, frame)
                items = [node.value for node in of_kind(value.function, Yield) if not node.whole]
                parts = [
                    t.items[position] for t in items if t is not None and isinstance(t, Tuple) and -1 < position < len(t.items)
                ]
                if any(self._is_count(part, inner) for part in parts):
                    return True
        return False

    def _is_count(self, term: Term, frame: Context) -> bool:
        """What a loop over ``range`` hands out, or the first of what ``enumerate`` does."""
        if isinstance(term, Subscript) and isinstance(term.base, Element) and isinstance(term.key, Const) and term.key.value == 0:
            return self.data.shape(term.base.of, frame) == "indexed"
        return isinstance(term, Element) and is_range(self.program, term.of, frame)


class TwinOrigins(Origins):
    """What is handed on, kept and returned, and what calls compute."""

    def __init__(self, data: RankData, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.data = data

    def of_parameter(self, term: Param, frame: Context) -> Any:
        result, bound = super().of_parameter(term, frame), frame.given(term)
        own = type(result) is Uniform and type(result.key) is Data
        if own and isinstance(bound, Argument) and self.data.own.equal(bound.term, bound.frame):
            return Uniform((term, frame))  # ranks met over it before it was handed on
        return result

    def of_attribute(self, term: Attr, frame: Context) -> Any:
        result = super().of_attribute(term, frame)
        known = self.program.knowledge
        if term.name not in known.derives and term.name not in known.measures:
            return result
        return part_of(self.evaluator, result, term, frame, size=term.name in known.measures)

    def _attribute_of(self, instance: Instance, name: str) -> Any:
        result = super()._attribute_of(instance, name)
        if type(result) is not Uniform or data_in(result) is not None:
            return result
        found = None
        for store in self.program.ask(Attributes).settings(ClassValue(instance.module, instance.cls), name):
            term, frame = store.value, self.program.instance_frame(instance, store.module, store.function)
            found = found or self._tested(store, frame) or self._told(store, instance)
            if isinstance(term, Augmented) and isinstance(term.pieces[0], Attr) and term.pieces[0].name == name:
                term = term.pieces[1]  # ``self.name += term``
            value = self.evaluator.value(term, frame)
            data = data_in(value)
            if (data is None and isinstance(value, UNKNOWN)) or (data is not None and self.data.own.equal(term, frame)):
                return result  # something else is kept there as well
            found = found or data
        key = (instance.module, instance.cls.qualname, name)
        return result if found is None else Uniform(Data(key, found.source, found.size, found.raw))

    def _tested(self, store: Setting, frame: Context) -> Data | None:
        """The data of its own that a rank asks before it stores something, if any; where it raises otherwise, the job ends."""
        for condition, arm in store.tests:
            data = data_in(self.evaluator.value(condition, frame))
            if (
                data is not None
                and not self.data.own.equal(condition, frame)
                and not or_raises(store.function.body, condition, arm)
            ):
                return data
        return None

    def _told(self, store: Setting, instance: Instance) -> Data | None:
        """The data of its own that a method is handed, by some call, and asks before it stores something."""
        function = store.function
        parts = (part for condition, _ in store.tests for part in parts_of(condition))
        if not any(isinstance(part, Param) and part.function == function.qualname for part in parts):
            return None
        index = self.data.own.index
        sites = [*index.callers(function), *index.objects_called(function)]
        for site in sites[:_CALLS]:
            caller = self.program.frame(site.module, site.function)
            for target in index.targets(site.call.term, caller):
                if isinstance(target, FunctionValue) and target.function is function and _is_one(target.receiver, instance):
                    inner = self.program.enter(target, site.call.term, caller)
                    given = [bound for bound in inner.arguments.values() if isinstance(bound, Argument)]
                    found = self._tested(store, inner)
                    if found is not None and not any(self.data.own.equal(bound.term, bound.frame) for bound in given):
                        return found
        return None

    def of_call(self, term: Call, frame: Context) -> Any:
        result = super().of_call(term, frame)
        if type(result) is not Uniform or type(result.key) is Data:
            return result
        knowledge = self.program.knowledge
        callee = term.callee
        if not isinstance(callee, (Ref, Nested)):
            source = self._of_model(callee, term, frame)
            if source is not None:
                self.evaluator.consulted(ANY)
                return Uniform(Data((term, frame), source))
        asked = f"{PATH}.{callee.name}" if isinstance(callee, Attr) else ""
        if isinstance(callee, Attr) and asked in knowledge.data and self.program.ask(Operations).is_path(callee.base, frame):
            return self._library_call(asked, term, frame)
        if isinstance(callee, Attr) and callee.name in knowledge.derives:
            data = data_in(self.evaluator.value(callee.base, frame))
            if data is not None:
                return self._computed(data, term, frame)
            if callee.name in knowledge.measures or callee.name in knowledge.fluent:
                return result
        for value in self.program.values(callee, frame):
            if isinstance(value, Library) and value.name in knowledge.derives:
                measures = value.name.rpartition(".")[2] in knowledge.measures
                for argument in _written_out(term.args):
                    data = data_in(self.evaluator.value(argument, frame)) or (
                        None if measures else self._put_into(argument, frame)
                    )
                    if data is not None:
                        size = data.size or measures
                        if size and data.source.word == _LOSS:
                            return result  # what a loss is made of: how many there are is a matter of the model
                        return self._computed(data._replace(size=size), term, frame)
        computed = (
            self._as_losses_are(callee, term, frame) if isinstance(callee, (Param, Attr, Global)) and len(term.args) > 1 else None
        )
        return result if computed is None else self._computed(computed, term, frame)

    def _put_into(self, term: Term, frame: Context) -> Data | None:
        """The data of its own that a rank has put into a list, as one of its items."""
        if not isinstance(term, List) or term.items:
            return None
        changes = self.program.ask(Contents).changes(frame.function).get(term, ())
        if not changes or self.heap.settled_at(term, frame):
            return None
        found = (
            data_in(self.evaluator.value(each.value, frame)) for each in changes if each.how == "more" and each.value is not None
        )
        return next((data for data in found if data is not None), None)

    def _as_losses_are(self, callee: Term, call: Call, frame: Context) -> Data | None:
        """The data of its own that is handed to a function out of sight, if losses are computed with it that ranks train with."""
        found = (data_in(self.evaluator.value(argument, frame)) for argument in call.args)
        data = next((data for data in found if data is not None and not data.raw), None)
        if data is None:
            return None
        criterion = self.evaluator.value(callee, frame)
        return data if type(criterion) is Uniform and criterion in self._criteria() else None

    def _criteria(self) -> frozenset[Uniform]:
        """The functions out of sight with which the losses are computed that ranks train with (found once)."""
        known = self.program.ask(_Criteria)
        if known.found is None:
            known.found = frozenset()  # ends recursion
            found: set[Uniform] = set()
            for name in sorted(self.program.knowledge.backward):
                for site in self.data.own.index.sites_named(name):
                    for frame in contexts_at(self.program, site):
                        for term, at in self.data.own.losses(frame):
                            callee = self.evaluator.value(term.callee, at) if isinstance(term, Call) else None
                            if type(callee) is Uniform:
                                found.add(callee)
            known.found = frozenset(found)
        return known.found

    def _of_model(self, callee: Term, call: Call, frame: Context) -> Source | None:
        """What a model computes: of batches of its own, each rank something else, whether all have one model or not."""
        own = self.data.own.is_model(callee, frame)
        if not own and not (self.data.own.trained and self.data.own.parallel.kinds(callee, frame)):
            return None
        ways = {batches_of_loader(self.program, item.of, frame) for item in drawn_in(call)}
        if own:
            return None if ways == {ALIKE} else Source(_ANSWER, frame.module, call.site)
        return Source(_BATCH, frame.module, call.site) if ways == {APART} else None

    def _library_call(self, name: str, term: Call, frame: Context) -> Any:
        if name in self.program.knowledge.fails:
            return Something((term, frame))  # what was read, if it could be
        word = self.program.knowledge.data.get(name)
        if word == _DRAWN and not self.program.ask(is_unseeded):
            word = None
        if word is not None:
            self.data.own.looked_for[frame.module, term.site] = (term, frame)
            return Uniform(Data((term, frame), Source(word, frame.module, term.site), raw=word != _PROGRESS))
        return super()._library_call(name, term, frame)

    def _computed(self, data: Data, term: Call, frame: Context) -> Uniform:
        """What a call computes of data: as large as before, or something of another kind."""
        size = data.size or (isinstance(term.callee, Attr) and term.callee.name in self.program.knowledge.measures)
        return Uniform(Data((term, frame), data.source, size=size, raw=data.raw))

    def _project_call(self, value: FunctionValue, term: Call, frame: Context) -> Any:
        result = super()._project_call(value, term, frame)
        if isinstance(result, Choice) and type(result.condition.key) is not Data:
            leaves = list(_leaves(result))
            if any(type(leaf) is Uniform and data_in(leaf) is None for leaf in leaves) and data_in(result) is not None:
                return Uniform((term, frame))  # in one mode its own, in the other something else: what was reduced, say
        return result


def part_of(evaluator: Evaluator, result: Any, term: Attr | Subscript, frame: Context, *, size: bool = False) -> Any:
    """An item or attribute of data is data."""
    if type(result) is not Uniform or type(result.key) is Data:
        return result
    data = data_in(evaluator.value(term.base, frame))
    return result if data is None or data.raw else Uniform(Data((term, frame), data.source, size=size or data.size))


class TwinEvaluator(Evaluator):
    """Evaluates terms for one rank, and knows what it has for itself."""

    def __init__(self, program: Program, rank: int, tell: Callable[[str], None], data: RankData) -> None:
        parts = Parts(
            partial(TwinHeap, data),
            partial(TwinRuns, data),
            partial(TwinOperators, data),
            partial(TwinItems, data),
            partial(TwinOrigins, data),
        )
        super().__init__(program, rank, tell, parts)
        self.own = data.own

    def value(self, term: Term, frame: Context) -> Any:
        """The value of a term on this rank."""
        source = self.own.loss(term, frame) or self.own.combined(term, frame)
        return super().value(term, frame) if source is None else Uniform(Data((term, frame), source))


def _is_drawn(term: Term) -> bool:
    """Whether a term is what a loop draws, or the first of a tuple, as it is or with a number added."""
    if isinstance(term, BinOp) and term.op in ("Add", "Sub") and isinstance(term.right, Const):
        term = term.left
    if isinstance(term, Subscript) and isinstance(term.key, Const) and term.key.value == 0:
        term = term.base
    return isinstance(term, Element)


def _read(value: Any) -> Any:
    """What a ``try`` leaves behind: what was read, if it could be, is something."""
    if not isinstance(value, Choice) or not isinstance(value.condition.key, Data) or value.condition.key.source.word != "failure":
        return value
    return value._replace(other=Something(value.other.key) if type(value.other) is Uniform else value.other)


def _is_one(receiver: object, instance: Instance) -> bool:
    """Whether what a method is called of may be an object: of its class, and made where that is made, as far as known."""
    if not isinstance(receiver, Instance) or receiver.cls is not instance.cls:
        return False
    return None in (receiver.call, instance.call) or receiver.call is instance.call


def _written_out(terms: tuple[Term, ...]) -> Iterator[Term]:
    """Terms, and the items of displays among them, of which there are some."""
    for term in terms:
        if isinstance(term, (List, Tuple)) and term.items:
            yield from _written_out(term.items)
        else:
            yield term


def _leaves(value: Any) -> Iterator[Any]:
    """The values that a choice may come to."""
    if isinstance(value, Choice):
        yield from _leaves(value.then)
        yield from _leaves(value.other)
    else:
        yield value
