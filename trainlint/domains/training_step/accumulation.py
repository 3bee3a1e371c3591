"""Gradient accumulation: losses that are not divided, a last window that is dropped, needless all-reduces.

Gradients that are summed over a window of batches whose loss nobody divides by the window's size.

Accumulation windows whose last, incomplete part is never applied.

A window counts if it is counted by the index of the loop itself, which begins anew in each epoch: a counter that
goes on from epoch to epoch leaves nothing behind but at the very end.

Windows of several batches in which DDP averages the gradients of every batch, though only their sum is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.domains.data_parallel.gradient_averaging import forwards
from trainlint.domains.data_parallel.models import Parallel
from trainlint.domains.nn.modules import model_of
from trainlint.domains.training_step.zero_grad import is_others
from trainlint.finding import Spot
from trainlint.flow.events import Event, once
from trainlint.flow.objects import Things
from trainlint.flow.path_condition import answers
from trainlint.flow.paths import TooMany, Ways
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.bindings import held_at_end
from trainlint.ir.control_dependence import jointly, meet, positive, raising_arms
from trainlint.ir.nodes import (
    NAMES,
    Access,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Const,
    Element,
    Entered,
    Global,
    Kwargs,
    LoopPhi,
    Param,
    Ref,
    Select,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import before, within
from trainlint.ir.printer import code_in, name_in
from trainlint.ir.sketch import CallStep, Exit, If, Loop, Store
from trainlint.ir.terms import is_call_of, parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, called, last_name
from trainlint.program.induction import RoundNumber, Window, is_range, shifted, windows
from trainlint.program.origins import reaching_definition, same_object
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import passed
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, LibraryObject, Unresolved

#: Backward passes whose loss is the program's own to divide.
_OWN = ("plain", "scaled")
_SUM = "sum"
#: Parts of the names by which people call what they do here.
_WINDOW = ("accum", "micro")


class Undivided(NamedTuple):
    """A backward pass of each batch of a window, of the loss as it is; ``code`` is the call as it should be.

    ``sure``: not so where the loss is multiplied by something else under a condition.
    """

    backward: Event
    step: Event
    window: str | None
    code: str | None
    sure: bool = True


@once("backward.place")
def undivided(program: Program) -> Iterator[Undivided]:
    """The backward passes in windows whose loss nobody divides."""
    for found in program.ask(Rounds).around("step", "backward", "clear", "step"):
        passes = found.of_kind("backward")
        if not all(_is_own(event) for event in passes):
            continue
        for backward in passes:
            for step in found.own_steps():
                window = window_of(program, found, backward, step)
                loss = _loss(backward)
                if window is None or loss is None or found.may_be_changed(program, step.thing):
                    continue
                size, frame = window.size, backward.frame
                shares = _Shares(program, size)
                if _may_be_several(program, size, frame) and not shares.of(loss, frame):
                    told = window.of_rounds(program, frame)
                    named = name_in(size, frame.function, constants=True) if told else None
                    yield Undivided(backward, step, named, _divided(backward, loss, size) if told else None, not shares.weighed)


def _is_own(backward: Event) -> bool:
    """Whether the loss is the program's to divide.

    Fabric and a module that optimizes by itself only run the backward pass; the other frameworks know of windows.
    """
    if backward.way == "framework":
        return backward.thing is None or backward.thing.kind == "fabric"
    return backward.way in _OWN


def window_of(program: Program, found: Round, backward: Event, step: Event) -> Window | None:
    """What batches make a step, where the gradients of all of them are summed; None where that is not to be seen."""
    if step.thing is None or step.thing.kind != "optimizer" or step.way == "closure":
        return None
    if not meet(tuple(step.arms), tuple(backward.arms)):
        return None  # two that take turns: no round has both
    if _is_of_another(program, found, backward, step):
        return None
    others = [each for each in found.own_steps() if each is not step and each.thing == step.thing]
    clears = [clear for clear in _own_clears(found) if not is_others(program.ask(Things), clear, step.thing)]
    clears = [clear for clear in clears if not _goes_with_another(clear, step, others)]
    around = _around(program, step)
    if backward.inner == around:
        added = [each for each in step.tests if each[:2] not in backward.arms]
        more = answers(program, added).items()
        counted = [window for each in added for window in [_counted(program, *each)] if window is not None]
        # Gradients are summed only if they are emptied when the step is made, and at no other time.
        if (
            len(counted) == 1
            and clears
            and all(more <= answers(program, clear.tests).items() and _around(program, clear) == around for clear in clears)
        ):
            return counted[0]
        return None
    if backward.inner[:-1] == around and all(_around(program, clear) == around for clear in clears) and clears:
        return _of_micro_batches(backward.inner[-1])
    return None


def _goes_with_another(clear: Event, step: Event, others: list[Event]) -> bool:
    """Whether gradients are emptied in another arm of a test than the one that steps, for a step of that arm."""
    return not meet(tuple(clear.arms), tuple(step.arms)) and any(each.arms <= clear.arms for each in others)


def _is_of_another(program: Program, found: Round, backward: Event, step: Event) -> bool:
    """Whether another optimizer applies these gradients in every round, and the step has a backward pass of its own."""
    own = any(each is not backward and step.arms <= each.arms for each in found.of_kind("backward") if step.arms)
    asked = program.ask(Things)
    return own and any(each.arms <= backward.arms and asked.apart(each.thing, step.thing) for each in found.own_steps())


def _own_clears(found: Round) -> list[Event]:
    """What empties gradients in a round, without what an optimizer's own `zero_grad` does for that."""
    clears = found.of_kind("clear")
    terms = {clear.term for clear in clears}
    return [clear for clear in clears if not any(node.term in terms for node, _ in clear.chain)]


def _around(program: Program, event: Event) -> tuple[Loop, ...]:
    """The loops around a part of a step, without one that only goes over several optimizers."""
    inner = event.inner
    while inner and program.ask(Things).of(inner[-1].subject, event.frame).kind == "optimizer":
        inner = inner[:-1]
    return inner


def _counted(program: Program, test: Term, arm: bool, frame: Context) -> Window | None:
    """The window whose end leads to an arm of a test, alone or as one of several reasons."""
    found = [each for each in windows(program, test, frame, holds=arm) if each is not None]
    return found[0] if len(found) == 1 else None


def _of_micro_batches(loop: Loop) -> Window | None:
    """That in ``for micro_step in range(accumulation)``: by a name, since loops over other things sum losses on purpose."""
    subject = loop.subject
    if not is_range(subject) or len(subject.args) != 1:
        return None
    size: Term = subject.args[0]
    names = [*loop.names]
    names += [called(part) for part in parts_of(size) if isinstance(part, NAMES)]
    return Window(subject, size) if any(word in name.lower() for name in names for word in _WINDOW) else None


def _may_be_several(program: Program, window: Term, frame: Context) -> bool:
    """Whether a window may hold several batches."""
    values = program.values(window, frame)
    return not all(isinstance(v, Unresolved) and isinstance(v.term, Const) and v.term.value in (0, 1) for v in values)


def _loss(backward: Event) -> Term | None:
    """What is differentiated, before it is scaled."""
    call = backward.call
    if backward.way == "framework":
        return call.args[0] if call.args else None
    loss: Term | None = call.callee.base if isinstance(call.callee, Attr) and not call.args else None
    if backward.way == "scaled":
        return loss.args[0] if isinstance(loss, Call) and loss.args else None
    return loss


#: What a loss is multiplied by; None: by who knows what.
_Factors = frozenset[object] | None
_DIVIDED = frozenset[object](("divided",))


class _Shares:
    """Whether a loss is a share of something; doubt counts as yes.

    A sum is one if all its terms are multiplied by the same, or one is divided: weights of different terms are no share.
    """

    def __init__(self, program: Program, window: Term) -> None:
        self.program = program
        self.window = window
        #: Whether a loss is multiplied by something in some cases, and in others not.
        self.weighed = False
        self._within: set[tuple[Term, Context]] = set()

    def of(self, loss: Term, frame: Context) -> bool:
        return _is_share(self._by(loss, frame))

    def _by(self, loss: Term, frame: Context) -> _Factors:
        if isinstance(loss, (Global, LoopPhi)):
            loss = same_object(self.program, loss, frame)
        if (loss, frame) in self._within or isinstance(loss, (Global, Kwargs, LoopPhi, Unknown)):
            return None
        self._within.add((loss, frame))
        found = self._found(loss, frame)
        self._within.discard((loss, frame))
        return found

    def _found(self, loss: Term, frame: Context) -> _Factors:
        if isinstance(loss, BinOp):
            return self._computed(loss, frame)
        if isinstance(loss, Select):
            shares = [part for part in loss.arms if self.of(part, frame)]
            self.weighed = self.weighed or (len(shares) == 1 and self._is_weighed(shares[0]))
            return None if shares and not self.weighed else frozenset()
        bound = frame.given(loss) if isinstance(loss, Param) else None
        made = bound if isinstance(bound, Argument) else reaching_definition(self.program, loss, frame)
        if made.term is not loss and (not isinstance(loss, Entered) or made.term is not loss.manager):
            return self._by(*made)
        if isinstance(loss, (Element, Entered, Param)):
            return None
        if isinstance(loss, Access):
            return self._by(loss.base, frame)
        return self._call(loss, frame) if isinstance(loss, Call) else None

    def _computed(self, loss: BinOp, frame: Context) -> _Factors:
        """A loss that is added up, or multiplied."""
        if loss.op not in ("Add", "Sub", "Mult") or (loss.op == "Mult" and self._is_of_window(loss)):
            return _DIVIDED
        sides = [(part, self._by(part, frame)) for part in loss.sides]
        known = [by for _, by in sides if by is not None]
        if _DIVIDED in known or not known:
            return _DIVIDED if known else None
        if loss.op != "Mult":
            return frozenset.intersection(*known)
        factors = (reaching_definition(self.program, part, frame) for part, by in sides if by is None or len(known) > 1)
        return frozenset.union(*known, (each.term.value if isinstance(each.term, Const) else each for each in factors))

    def _is_of_window(self, *terms: Term) -> bool:
        return any(part is self.window for part in parts_of(*terms))

    def _is_weighed(self, share: Term) -> bool:
        """Whether a loss is multiplied, by something that has nothing to do with the window."""
        return isinstance(share, BinOp) and share.op == "Mult" and not self._is_of_window(share)

    def _call(self, call: Call, frame: Context) -> _Factors:
        """A loss that is computed: by a tensor's method, a function of the project, a criterion or a model."""
        name = last_name(call.callee) or ""
        given = (*call.args, *(value for _, value in call.kwargs))
        if name in ("div", "div_", "mul", "mul_", _SUM) or self._is_of_window(*given) or _reduces_otherwise(call):
            return _DIVIDED
        if isinstance(call.callee, Ref) and call.callee.name in self.program.knowledge.tables["makes_data"]["names"]:
            return None  # what a sum begins with
        if isinstance(call.callee, Attr) and name in self.program.knowledge.tensor_methods:
            return self._by(call.callee.base, frame)
        targets = self.program.ask(CallGraph).targets(call, frame)
        for value in (*targets, *(each for each in self.program.values(call.callee, frame) if isinstance(each, LibraryObject))):
            if isinstance(value, FunctionValue):
                if value.function.generator or not frame.follows(value.function):
                    return None
                inner = self.program.enter(value, call, frame)
                returned = [self._by(each, inner) for each in self.program.returns(value.function)]
                shares = [by for by in returned if _is_share(by)]
                if shares or not returned:
                    return shares[0] if shares else None
            elif isinstance(value, LibraryObject) and value.call is not None and _reduces_otherwise(value.call):
                return _DIVIDED
        return frozenset()


def _is_share(factors: _Factors) -> bool:
    return factors is None or bool(factors)


def _reduces_otherwise(call: Call) -> bool:
    """Whether a loss is told to reduce in another way than to the mean: ``reduction="sum"``."""
    return any(name == "reduction" and not (isinstance(value, Const) and value.value == "mean") for name, value in call.kwargs)


def _divided(backward: Event, loss: Term, window: Term) -> str | None:
    """The backward pass of a share of the loss."""
    function, call = backward.frame.function, backward.call
    name, size = name_in(loss, function), name_in(window, function, constants=True)
    if name is None or size is None or call.args or call.kwargs or not isinstance(call.callee, Attr):
        return None
    if backward.way == "scaled":
        scales = call.callee.base
        if not isinstance(scales, Call) or not isinstance(scales.callee, Attr) or backward.is_part_of_call:
            return None
        scaler = name_in(scales.callee.base, function)
        return f"{scaler}.{scales.callee.name}({name} / {size}).{call.callee.name}()" if scaler is not None else None
    return f"({name} / {size}).{call.callee.name}()"


_ENUMERATE, _LENGTH, _ZIP = "builtins.enumerate", "builtins.len", "builtins.zip"
_START, _CYCLE = "start", "cycle"


class Remainder(NamedTuple):
    """A step that is made in each full window only; ``early``: the first batch of a window makes it.

    ``test`` is the spot of its condition, ``code`` the condition as it should be. ``doubt`` is a call of somebody out of sight
    who may step as well, ``fitted`` says that the function divides a length, perhaps to make the number of batches fit.
    """

    step: Event
    test: Spot | None
    early: bool
    code: str | None
    doubt: Event | None = None
    fitted: bool = False


@once("step.place")
def remainders(program: Program) -> Iterator[Remainder]:
    """The windows whose rest is left behind."""
    for found in program.ask(Rounds).around("step", "backward", "step"):
        if found.loop is None:
            continue
        passes = found.of_kind("backward")
        for step in found.own_steps():
            doubt = found.doubt(program, step.thing)
            if doubt is None and found.may_be_changed(program, step.thing):
                continue
            answer = _remainder(program, found, passes, step)
            if answer is not None:
                yield answer._replace(doubt=doubt)


def _remainder(program: Program, found: Round, passes: list[Event], step: Event) -> Remainder | None:
    if step.thing is None or step.thing.kind != "optimizer" or step.way == "closure" or step.inner or not passes:
        return None
    led = _reason(found, passes, step)
    if led is None or any(backward.inner for backward in passes):
        return None
    asked, arm = led[:2]
    plain, holds = positive(asked, holds=arm)
    test, frame = reaching_definition(program, plain, led[2])
    reasons = [*windows(program, test, frame, holds=holds)]
    window = next((each for each in reasons if each is not None), None)
    if window is None or reasons.count(None) < len(reasons) - 1 or not _is_behind(found, step):
        return None
    index, size = _index(program, window, frame, found), passed(window.size, frame).term
    if index is None or index.first is None or _is_one(program, window.size, frame):
        return None
    early = index.first == 0
    if not early and (
        len(reasons) > 1
        or index.items is None
        or _never_ends(program, index.items)
        or _is_flushed(program, found, step)
        or _is_fitted(program, found, index.items, size)
    ):
        return None
    fitted = not early and any(_lengths(program, found, [node.term for node in calls_of(found.frame.function)]))
    place = next((node.test for node in of_kind(found.frame.function, If) if node.condition is asked), None)
    written = place is not None and len(reasons) == 1 and test is plain and arm and not window.set_back
    code = _code(found, index, window.size) if written else None
    return Remainder(step, place, early, code, fitted=fitted)


def _reason(found: Round, passes: list[Event], step: Event) -> tuple[Term, bool, Context] | None:
    """The one test that leads to a step and not to a backward pass of its round, less those both arms of which lead there.

    None where another step is made in the rounds in which the test has the other answer.
    """
    common = {(test, arm) for backward in passes for test, arm, _ in backward.tests}
    steps = [each for each in found.own_steps() if each.thing == step.thing]
    functions = {id(where.function): where.function for _, _, where in step.tests}
    raising = common.union(*(raising_arms(function.body) for function in functions.values()))
    ways = jointly(tuple((test, arm) for test, arm, _ in each.tests if (test, arm) not in raising) for each in steps)
    asked = next((each for way in ways if len(way) == 1 for each in step.tests if each[:2] == way[0]), None)
    return None if asked is None or any((asked[0], not asked[1]) in way for way in ways) else asked


def _is_behind(found: Round, step: Event) -> bool:
    """Whether the step comes behind a backward pass, wherever it is made: otherwise it is that of the window before."""
    for way in found.ways:
        if step in way.events:
            before = way.events[: way.events.index(step)]
            if not any(event.kind == "backward" for event in before):
                return False
    return True


def _index(program: Program, window: Window, frame: Context, found: Round) -> RoundNumber | None:
    """The number of a round that a window counts: of a batch of a loader, or of a round of the window."""
    index = window.counted(program, frame)
    if index is None:
        return _going_round(window.number, found)
    if index.items is not None and is_range(index.items.term):
        return None  # how many numbers there are was chosen with the window
    return index if index.loop is found.loop and index.by == 1 else None


def _never_ends(program: Program, loader: Argument) -> bool:
    """Whether the batches never run out, so that no window is the last: an iterator of the project that goes on for ever."""
    for value in program.values(*loader):
        if isinstance(value, Instance):
            method = program.method(ClassValue(value.module, value.cls), "__iter__")
            if method is not None and any(_is_for_ever(loop) for loop in of_kind(method[1], Loop)):
                return True
    return False


def _is_for_ever(loop: Loop) -> bool:
    """``while True``, and no way out of it."""
    ways_out = (node for node in walk(loop.body) if isinstance(node, Exit) and node.kind in ("break", "return"))
    return (
        loop.kind == "while" and isinstance(loop.subject, Const) and bool(loop.subject.value) and not any(True for _ in ways_out)
    )


def _going_round(term: Term, found: Round) -> RoundNumber | None:
    """The index in ``zip(loader, cycle(range(window)))``."""
    term, added = shifted(term)
    if found.loop is None or not isinstance(term, Subscript) or not isinstance(term.base, Element):
        return None
    position = term.key.value if isinstance(term.key, Const) else None
    call = term.base.of
    if call is not found.loop.subject or not is_call_of(call, _ZIP) or type(position) is not int:
        return None
    part = call.args[position] if 0 <= position < len(call.args) else None
    if not isinstance(part, Call) or last_name(part.callee) != _CYCLE or not part.args:
        return None
    numbers = part.args[0]
    goes_round = is_range(numbers) and len(numbers.args) == 1
    return RoundNumber(found.loop, found.frame, 0, None, added) if goes_round else None


def _is_one(program: Program, window: Term, frame: Context) -> bool:
    """Whether a window is one batch, as far as anybody can see."""
    values = program.values(window, frame)
    return bool(values) and all(
        isinstance(v, Unresolved) and isinstance(v.term, Const) and v.term.value in (0, 1) for v in values
    )


def _is_flushed(program: Program, found: Round, step: Event) -> bool:
    """Whether something behind the loop may step the optimizer once more."""
    assert found.loop is not None
    function, loop = found.frame.function, found.loop
    behind = tuple(node for node in calls_of(function) if before(function, loop, node) and not within(function, loop, node))
    walking = Ways(program, program.ask(Rounds).recognizer)
    try:
        walking.through(behind, found.frame)
    except TooMany:
        return True
    asked = program.ask(Things)
    for event in walking.all.values():
        if event.kind == "step":
            if not asked.apart(event.thing, step.thing):
                return True
        elif event.may_change(program, step.thing):
            return True
    return False


def _is_fitted(program: Program, found: Round, items: Argument, window: Term) -> bool:
    """Whether the number of batches is made to fit: the loop or a test asks for the rest of a length, or numbers the windows."""
    tests = [node.condition for node in of_kind(found.frame.function, If)]
    for part in (part for test in tests for part in parts_of(test) if isinstance(part, BinOp) and part.op == "FloorDiv"):
        index = _index(program, Window(*part.sides), found.frame, found) if part.right is window else None
        if index is not None and index.items == items:
            return True
    assert found.loop is not None
    return any(_lengths(program, found, [*tests, found.loop.subject]))


def _lengths(program: Program, found: Round, terms: Iterable[Term]) -> Iterator[bool]:
    """Of each thing that is divided in these terms, with or without a rest, whether it is made of a length."""
    rests = (part for part in parts_of(*terms) if isinstance(part, BinOp) and part.op in ("Mod", "FloorDiv"))
    # The index has a length in it where the loop goes over ``tqdm(enumerate(loader), total=len(loader))``.
    divided = (part.left for part in rests if _index(program, Window(*part.sides), found.frame, found) is None)
    return (any(is_call_of(each, _LENGTH) for each in parts_of(term)) for term in divided)


def _code(found: Round, index: RoundNumber, window: Term) -> str | None:
    """The condition with the last batch as another reason for a step."""
    assert found.loop is not None
    if index.items is None or index.items.frame is not found.frame or not is_call_of(found.loop.subject, _ENUMERATE):
        return None
    loader = name_in(index.items.term, found.frame.function)
    size = name_in(window, found.frame.function, constants=True)
    if loader is None or size is None or not found.loop.names:
        return None
    name = found.loop.names[0]
    number = name if index.start == 1 else f"{name} + 1"
    counted = name if index.start == 1 else f"({name} + 1)"
    return f"{counted} % {size} == 0 or {number} == len({loader})"


_DDP = frozenset(("ddp",))


class Reduced(NamedTuple):
    """A backward pass of each batch of a window; ``step`` is made once for the window.

    ``forward`` is the statement of the forward pass before which ``code`` would turn the averaging off, where it can be written.
    """

    backward: Event
    step: Event
    forward: Spot | None
    code: str | None


@once("backward.place")
def every_batch(program: Program) -> Iterator[Reduced]:
    """The backward passes that communicate for every batch of a window."""
    if not program.ask(Parallel).active:
        return
    for found in program.ask(Rounds).around("step", "backward", "clear", "step"):
        for backward in found.of_kind("backward"):
            if backward.way in _OWN and not _mentions(program, backward.frame):
                reduced = _reduced(program, found, backward)
                if reduced is not None:
                    yield reduced


def _reduced(program: Program, found: Round, backward: Event) -> Reduced | None:
    step = next((step for step in found.own_steps() if window_of(program, found, backward, step) is not None), None)
    call = backward.call
    if step is None or not isinstance(call.callee, Attr) or program.ask(Parallel).step(call, backward.frame) != "backward":
        return None
    passes = list(forwards(program, call.callee.base, backward.frame))
    kinds = [program.ask(Parallel).kinds(model_of(program, each), frame) for each, frame in passes]
    if _DDP not in kinds or any(kind and kind != _DDP for kind in kinds):
        return None
    forward, frame = passes[kinds.index(_DDP)]
    place = next((each for each in calls_of(frame.function) if each.term is forward), None)
    code = _switch(program, step, forward, place, frame) if frame is backward.frame is step.frame else None
    return Reduced(backward, step, place.statement if place is not None else None, code)


def _mentions(program: Program, frame: Context) -> bool:
    """Whether somebody around here turns the averaging off, in whatever way."""
    names = program.knowledge.unsynced
    attribute = program.knowledge.written["averages"]
    at: Context | None = frame
    while at is not None:
        function = at.function
        if any(isinstance(node.target, Attr) and node.target.name == attribute for node in of_kind(function, Store)):
            return True
        if any(_names(call.term, names) for call in calls_of(function)) or any(
            _names(term, names) for term in held_at_end(function).values()
        ):
            return True
        at = at.caller
    return False


def _names(term: Term, names: frozenset[str]) -> bool:
    """Whether one of these names is called, or chosen, in a term."""
    if isinstance(term, (Call, Attr)) and last_name(term) in names:
        return True
    return isinstance(term, (Select, BoolOp)) and any(_names(part, names) for part in term.subterms())


def _switch(program: Program, step: Event, forward: Call, place: CallStep | None, frame: Context) -> str | None:
    """What would turn the averaging on for the last batch of the window only, as this function can write it."""
    test = next((each[0] for each in step.tests if each[1] and _counted(program, *each) is not None), None)
    model = name_in(model_of(program, forward), frame.function)
    said = code_in(test, frame.function) if test is not None else None
    if place is None or model is None or said is None:
        return None
    return f"{model}.{program.knowledge.written['averages']} = {said}"
