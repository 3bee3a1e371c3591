"""Gradients that are not emptied where they must be, or emptied where they must not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from trainlint.domains.autograd.backward import Passes
from trainlint.flow.effect_summary import COMMON
from trainlint.flow.events import Event, once
from trainlint.flow.objects import Thing, Things
from trainlint.flow.path_condition import answers, asked_of, exclude
from trainlint.flow.paths import Way
from trainlint.flow.protocols import Hit, Moment, Protocol
from trainlint.flow.rounds import Round, Rounds
from trainlint.ir.control_dependence import positive
from trainlint.ir.nodes import NAMED, Attr, BinOp, Call, Compare, Const, Ref, Select, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import Bind, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.enclosing import surroundings
from trainlint.program.induction import round_number, shifted, windows
from trainlint.program.loops import has_rounds, is_decided, loops_leading_to
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context

#: Backward passes after which somebody has to empty the gradients: all but those of engines.
_COMPUTED = ("plain", "scaled", "apex", "framework")
#: What decides about gradients.
_DECISIVE = frozenset(("backward", "step", "unknown", "touch", "clear"))
#: Comparisons of a number of rounds that come out so when it is one.
_ONE_ROUND = {("Gt", 1, False), ("GtE", 2, False), ("NotEq", 1, False), ("Eq", 1, True), ("LtE", 1, True), ("Lt", 2, True)}


class Uncleared(NamedTuple):
    """A round that computes and applies gradients and never empties them; unless ``doubt`` does, which is out of sight.

    ``other``: what empties them in the other arm of a test that has one answer in all rounds. ``named``: where no loop runs the
    method, the file and the loop in which one of its name is called, of an object that may be of several classes.
    """

    round: Round
    backward: Event
    step: Event
    doubt: Event | None = None
    other: Event | None = None
    named: tuple[str, Loop] | None = None


def uncleared(program: Program) -> Iterator[Uncleared]:
    """The optimizers whose gradients nobody empties in a loop, by the step that applies them."""
    asked = program.ask(Things)
    seen: set[tuple[str, object]] = set()
    for found in program.ask(Rounds).around("step", "backward"):
        backward = [event for event in found.of_kind("backward") if event.way in _COMPUTED]
        if not backward or len(backward) < len(found.of_kind("backward")):
            continue
        if tests_software(program, found.frame.module, found.frame.function):
            continue
        named = _loop_by_name(program, found) if found.loop is None else None
        if found.loop is None and named is None:
            continue
        for step in found.own_steps():
            key = (step.place.frame.module, step.place.call)
            if key not in seen and _is_uncleared(asked, found, step):
                seen.add(key)
                with_it = [event for event in backward if not exclude(program, event.tests, step.tests)]
                other = next((each for each in found.of_kind("clear") if not is_others(asked, each, step.thing)), None)
                if with_it:
                    yield Uncleared(found, with_it[0], step, found.doubt(program, step.thing), other, named)


def _loop_by_name(program: Program, found: Round) -> tuple[str, Loop] | None:
    """The file and the loop that calls a method of this name, which may be this one, where no call in sight surely is."""
    function, index = found.frame.function, program.ask(CallGraph)
    ordinary = (*COMMON, *program.knowledge.common_methods, *program.knowledge.tensor_methods)
    if function.cls is None or function.name in ordinary or found.of_kind("clear", "touch") or index.callers(function):
        return None
    for site in index.sites.get(function.name, ()):
        meant = index.targets(site.call.term, program.frame(site.module, site.function))
        if meant or not isinstance(site.call.term.callee, Attr) or tests_software(program, site.module, site.function):
            continue
        for frame in contexts_at(program, site):
            around = (each for each in loops_leading_to(site.call, frame) if has_rounds(each[0]))
            for loop, here in islice(around, 1):
                run = program.ask(Rounds).walked(loop.body, here, loop, ())
                if run is None or not run.of_kind("clear", "step", "touch"):
                    return here.module, loop
    return None


@once("moment.own.place")
def mixed(program: Program) -> Iterator[Hit]:
    """The steps with gradients of the loss of another optimizer, which went through this one's model before."""
    for found in program.ask(Rounds).around("step", "backward", "clear"):
        things = [step.thing for step in found.own_steps() if step.way != "closure"]
        several = len(found.of_kind("backward")) > 1 and any(program.ask(Things).apart(things[0], each) for each in things[1:])
        if several and not tests_software(program, found.frame.module, found.frame.function):
            yield from MIXED.over(program, [found])


def _is_own(at: Moment) -> bool:
    """Whether what steps, or is emptied, is the optimizer in question, as far as can be seen."""
    return not at.program.ask(Things).apart(at.event.thing, at.own.thing)


def _goes_through(at: Moment, other: Thing | None = None) -> bool:
    """Whether a pass surely computes gradients of the optimizer's model, or of another one's."""
    optimizer = other or at.own.thing
    return optimizer is not None and Passes(at.program, at.round).goes_through(at.event, optimizer)


MIXED = Protocol(
    "TL701",
    "Gradients of one of several optimizers",
    "unknown",
    """
    *                   | unknown touch, if it may change these    | unknown
    *                   | clear, of this optimizer                 | empty
    empty               | backward, through its model              | filled
    filled              | step, of another optimizer               | left
    left                | backward, through its model alone        | mixed
    mixed               | step, the one in question                | unknown | mixed
    filled left mixed   | step backward                            | unknown
    """,
    {
        "of this optimizer": _is_own,
        "of another optimizer": lambda at: at.program.ask(Things).apart(at.event.thing, at.own.thing),
        "through its model": _goes_through,
        "through its model alone": lambda at: _goes_through(at) and not _goes_through(at, at.last("step").thing),
    },
    tracks="step",
)


def _is_uncleared(asked: Things, found: Round, step: Event) -> bool:
    optimizer = step.thing
    if optimizer is None or optimizer.kind != "optimizer":
        return False
    if _made_inside(found, optimizer.values):
        return False
    if found.may_be_changed(asked.program, optimizer) and found.doubt(asked.program, optimizer) is None:
        return False
    loop, home = found.loop, found.frame
    decided = [each for each in step.tests if loop is not None and is_decided(asked.program, each[0], each[2], loop, home)]
    return all(
        is_others(asked, clear, optimizer) or exclude(asked.program, decided, clear.tests) for clear in found.of_kind("clear")
    )


def is_others(asked: Things, clear: Event, optimizer: Thing | None) -> bool:
    """Whether what is emptied is certainly not what an optimizer applies: another optimizer's."""
    return clear.thing is not None and clear.thing.kind == "optimizer" and asked.apart(clear.thing, optimizer)


def _made_inside(found: Round, values: tuple[object, ...]) -> bool:
    """Whether the optimizer may be a new one in each round."""
    for value in values:
        call, frame = getattr(value, "call", None), getattr(value, "frame", None)
        while call is not None and isinstance(frame, Context):
            if frame.function is found.frame.function and (found.loop is None or within(frame.function, found.loop, call)):
                return True
            call, frame = frame.call, frame.caller
    return False


# -- too early -------------------------------------------------------------------------------------------------------


class Lost(NamedTuple):
    """Gradients that are emptied before they are used.

    ``when``: "between" backward pass and step; "window": in each round, though only some of them step; "last": before the last
    backward pass of a window; "inner": in each of a loop behind which the step is made; "context": in each iteration, in
    a context in which a framework skips the steps of most. ``doubt`` is a call of somebody out of sight who may step as well.
    ``sure``: the window is seen to be one, or there is none.
    """

    clear: Event
    backward: Event
    step: Event
    when: str
    doubt: Event | None = None
    sure: bool = True


@once("clear.place")
def lost(program: Program) -> Iterator[Lost]:
    """Gradients that are emptied before the optimizer has used them."""
    asked = program.ask(Things)
    for found in program.ask(Rounds).around("step", "backward", "clear"):
        if not tests_software(program, found.frame.module, found.frame.function):
            for _, at in EMPTIED.over(program, [found]):
                yield Lost(at.last("clear"), at.last("backward"), at.event, "between")
            yield from _in_window(asked, found)
            yield from _in_context(asked, found)


def _empties_first(at: Moment) -> bool:
    """Whether what is emptied is what the step is to apply, and all three stand in the same loops and tests."""
    asked, step, clear, backward = at.program.ask(Things), at.event, at.last("clear"), at.last("backward")
    together = clear.inner == step.inner == backward.inner and clear.arms <= step.arms | backward.arms
    return together and step.way != "closure" and _empties(asked, clear, step)


def _is_touched(at: Moment) -> bool:
    """Whether somebody out of sight, who got the optimizer that is emptied, has been there since the backward pass."""
    since = at.trail[at.trail.index(at.last("backward")) :]
    return any(each.kind == "unknown" and each.may_change(at.program, at.event.thing) for each in since)


EMPTIED = Protocol(
    "TL702",
    "Gradients of an optimizer",
    "applied",
    """
    applied computed emptied | backward                              | computed
    computed                 | clear, if they are unchanged          | emptied
    computed emptied         | clear                                 | applied
    computed                 | unknown                               | computed
    emptied                  | unknown, if it is given the optimizer | applied
    emptied                  | step, with these gradients            | applied  | between, unless another way applies them
    computed emptied         | step touch                            | applied
    """,
    {
        "if they are unchanged": lambda at: not _is_touched(at),
        "if it is given the optimizer": lambda at: at.event.may_change(at.program, at.last("clear").thing),
        "with these gradients": _empties_first,
        "another way applies them": lambda at: any(_steps_without(at, way) for way in at.round.ways),
    },
)


def _decides(asked: Things, event: Event, clear: Event) -> bool:
    """Whether an event decides about the gradients that are emptied; who is out of sight does if he got their optimizer."""
    return event.kind in _DECISIVE and (event.kind != "unknown" or event.may_change(asked.program, clear.thing))


def _steps_without(at: Moment, way: Way) -> bool:
    """Whether another way leads from a backward pass to a step with its gradients: those of this one are given up on purpose."""
    asked, clear, backward = at.program.ask(Things), at.last("clear"), at.last("backward")
    places = [event.place if isinstance(event.term, Call) else None for event in way.events]
    start = places.index(backward.place) if backward.place in places else len(places)
    step = next((event for event in way.events[start + 1 :] if _decides(asked, event, clear)), None)
    if step is None or step.kind != "step" or step.thing is None or clear.thing is None:
        return False
    return asked.same(step.thing, clear.thing) is True


def _in_window(asked: Things, found: Round) -> Iterator[Lost]:
    """``zero_grad`` before each backward pass, and a step in some of the rounds only, though gradients are to be summed."""
    if any(event.way == "managed" for event in found.all):
        return
    for step in found.own_steps():
        doubt = found.doubt(asked.program, step.thing)
        if doubt is None and found.may_be_changed(asked.program, step.thing):
            continue
        for way in found.ways:
            before = [event for event in way.events if event.kind in ("backward", "clear")]
            before = [event for event in before if event.kind == "backward" or not is_others(asked, event, step.thing)]
            clears = [event for event in before if event.kind == "clear" and _empties(asked, event, step)]
            if len(clears) > 1 and step in way.events:  # what is emptied behind the step is used
                clears = [event for event in clears if way.events.index(event) < way.events.index(step)]
            clear = clears[-1] if clears and before[before.index(clears[0]) :][: len(clears)] == clears else None
            backward = _next_pass(found, before, clear) if clear is not None else None
            if clear is None or backward is None or step.way == "closure" or backward.inner != clear.inner:
                continue
            if step.inner != clear.inner:
                inside = clear.inner[: len(step.inner)] == step.inner and _over_batches(clear.inner[-1]) and step in way.events
                if (
                    inside
                    and _in_later_rounds(asked.program, found, clear, backward)
                    and not any(_steps(each, asked, step, clear.inner) for each in found.ways)
                ):
                    yield Lost(clear, backward, step, "inner", doubt)
            elif _windowed(asked.program, step, clear, backward) and not _steps(way, asked, step) and _runs_out(found, way):
                yield Lost(clear, backward, step, "window", doubt)
            elif all(_leads(each, clear, step) for each in found.ways):
                if _ends_window(asked.program, clear, backward) or _ends_others(asked.program, found, clear, backward):
                    yield Lost(clear, backward, step, "last", doubt)
                elif _goes_with(asked.program, clear, backward, step):
                    yield Lost(clear, backward, step, "last", doubt, sure=False)


def _next_pass(found: Round, events: list[Event], clear: Event) -> Event | None:
    """The backward pass before which gradients are emptied: behind all others of a loop, that is the first of its next round."""
    behind = events[events.index(clear) + 1 :] or (events if found.loop is not None else [])
    return behind[0] if behind and behind[0].kind == "backward" else None


def _in_context(asked: Things, found: Round) -> Iterator[Lost]:
    """A model's own ``zero_grad`` in a context (table ``step_calls.windows``) that skips the optimizer's in most rounds."""
    steps, passes = found.own_steps(), [event for event in found.of_kind("backward") if event.way == "framework"]
    for clear in found.of_kind("clear") if steps and passes else ():
        if clear.thing is None or clear.thing.kind != "module" or not clear.arms <= passes[0].arms:
            continue
        for manager in asked.program.ask_of(surroundings, clear.frame.function).of(clear.call).managers:
            sure = _has_window(asked, manager, clear.frame, clear.thing)
            if sure is not None:
                yield Lost(clear, passes[0], steps[0], "context", sure=sure)


def _has_window(asked: Things, manager: Term, frame: Context, model: Thing) -> bool | None:
    """Whether a context is that of a window of several rounds, for this model; False where its size is out of sight."""
    table = asked.program.knowledge.tables["step_calls.windows"]
    if not isinstance(manager, Call) or not isinstance(manager.callee, Attr) or not manager.args:
        return None
    holder, name = asked.of(manager.callee.base, frame), manager.callee.name
    keyword = next((word for kind, word in table.items() if kind == f"{holder.kind}.{name}"), None)
    meant = asked.of(manager.args[0], frame)
    if keyword is None or (meant.key is not model.key and meant.origin != model.origin):
        return None
    if holder.made is None:
        return False
    sizes = [dict(made.call.kwargs).get(keyword) for made in holder.made if made.call is not None]
    return None if any(size is None or (isinstance(size, Const) and size.value == 1) for size in sizes) else True


def _runs_out(found: Round, way: Way) -> bool:
    """Whether a way leads to the end of the round; that of a function which no loop is seen to run is where it returns."""
    return way.ended in (None, "continue") or (found.loop is None and way.ended == "return")


def _steps(way: Way, asked: Things, step: Event, inner: tuple[Loop, ...] = ()) -> bool:
    """Whether the optimizer steps on a way, here or in another branch: where ``inner`` is told, within those loops."""
    steps = [event for event in way.events if event.kind == "step" and event.inner[: len(inner)] == inner]
    return not all(asked.apart(event.thing, step.thing) for event in steps)


def _over_batches(loop: Loop) -> bool:
    """Whether a loop goes over something: what a ``while`` waits for is another matter."""
    return loop.kind == "for"


def _empties(asked: Things, clear: Event, step: Event) -> bool:
    """Whether what is emptied is certainly what an optimizer applies."""
    if clear.thing is None or step.thing is None:
        return False
    if clear.thing.kind == "optimizer":
        return asked.same(clear.thing, step.thing) is True
    return clear.thing.kind == "module" and asked.is_model_of(clear.thing, step.thing)


def _windowed(program: Program, step: Event, clear: Event, backward: Event) -> bool:
    """Whether a step is made every so many rounds, the rest in all of them, and the loss is that of a part of the window."""
    both = clear.arms
    if any((test, not arm) in both for test, arm, _ in step.tests):
        return False  # it belongs to the other arm
    counted = _counted(program, step, both)
    if not counted or not both <= backward.arms or any((test, True) in backward.arms for test in counted):
        return False
    if any(_is_of_one(test, both) for test in counted):
        return False
    return _is_share(backward) or _speaks_of_window(counted, step)


def _in_later_rounds(program: Program, found: Round, clear: Event, backward: Event) -> bool:
    """Whether gradients are emptied in each round of the loop in which they are summed, or at least in its last."""
    loop = clear.inner[-1]
    frames = (found.frame, *(frame for _, frame in clear.chain), clear.frame)
    holder = next((each for each in frames if any(inner is loop for inner in of_kind(each.function, Loop))), found.frame)
    more = [each for each in clear.tests if each[:2] not in backward.arms]
    return all(is_decided(program, test, frame, loop, holder) or _is_last(program, test, arm, frame) for test, arm, frame in more)


def _is_last(program: Program, test: Term, arm: bool, frame: Context) -> bool:
    """Whether a test holds in the last of as many rounds as it says: ``number + 1 == parts``, ``(number + 1) % parts == 0``."""
    test, holds = positive(test, holds=arm)
    if isinstance(test, Compare) and holds and test.op == "Eq" and not isinstance(test.right, Const):
        (_, less), number = shifted(test.right), round_number(program, test.left, frame)
        return number is not None and number.first is not None and number.first - less == 1
    counted = [each.counted(program, frame) for each in windows(program, test, frame, holds=holds) if each is not None]
    return any(each is not None and each.first == 1 for each in counted)


def _leads(way: Way, clear: Event, step: Event) -> bool:
    """Whether a way that empties gradients comes to a step later."""
    return clear not in way.events or step in way.events[way.events.index(clear) :]


def _ends_window(program: Program, clear: Event, backward: Event) -> bool:
    """Whether gradients are emptied every so many rounds, before one more part of the window is computed, as in each round."""
    counted = _counted(program, clear, backward.arms)
    if not counted or any(test in counted for test, _ in backward.arms):
        return False
    return _is_share(backward) or _speaks_of_window(counted, clear)


def _ends_others(program: Program, found: Round, clear: Event, backward: Event) -> bool:
    """Whether the rounds in which nothing is emptied compute parts of the window as well, in the other arm, and step nothing."""
    counted = _counted(program, clear, set())
    rest = [way for way in found.ways if clear not in way.events and _runs_out(found, way)]
    passes = [event for way in rest for event in way.events if event.kind == "backward"]
    apart = [event for event in passes if any((test, not arm) in event.arms for test, arm in clear.arms if test in counted)]
    if not apart or any(event.kind == "step" for way in rest for event in way.events):
        return False
    return all(_is_share(event) for event in (*apart, backward)) or _speaks_of_window(counted, clear)


def _goes_with(program: Program, clear: Event, backward: Event, step: Event) -> bool:
    """Whether gradients are emptied in those rounds that step, as some function of the project decides, and computed in each.

    Then what the rounds in between have computed is never used, whatever that function decides by.
    """
    mine, computed = answers(program, clear.tests), answers(program, backward.tests)
    more, stepped = {asked: said for asked, said in mine.items() if asked not in computed}, answers(program, step.tests)
    tests = [test for test, arm, _ in clear.tests if (test, arm) not in backward.arms]
    decided = [part for test in tests for part in parts_of(test) if isinstance(part, Call) and not isinstance(part.callee, Ref)]
    return bool(more and decided) and more.items() <= stepped.items()


def _counted(program: Program, event: Event, without: set[tuple[Term, bool]]) -> list[Term]:
    """The tests that lead to an event every so many rounds, but for some."""
    more = [(test, arm, frame) for test, arm, frame in event.tests if (test, arm) not in without]
    return [
        test
        for test, arm, frame in more
        if any(any(windows(program, part, frame, holds=said)) for part, said in asked_of(test, arm))
    ]


def _is_of_one(counted: Term, tests: set[tuple[Term, bool]]) -> bool:
    """Whether tests say that the window is one round long: in the other arm of ``if steps > 1``, ``i % steps`` is always 0."""
    windows = [part.right for part in parts_of(counted) if isinstance(part, BinOp) and part.op == "Mod"]
    for test, arm in tests:
        if (
            isinstance(test, Compare)
            and test.left in windows
            and isinstance(test.right, Const)
            and (test.op, test.right.value, arm) in _ONE_ROUND
        ):
            return True
    return False


def _is_share(backward: Event) -> bool:
    """Whether the loss is divided before it is differentiated."""
    loss = backward.call.callee.base if isinstance(backward.call.callee, Attr) else None
    if isinstance(loss, Call) and loss.args:
        loss = loss.args[0]  # scaled
    shares = loss.arms if isinstance(loss, Select) else (loss,)
    return any(isinstance(share, BinOp) and share.op == "Div" for share in shares)


def _speaks_of_window(counted: list[Term], event: Event) -> bool:
    """Whether a name in tests says that gradients are summed; of a size that has a name in the function, that name as well."""
    parts = set(parts_of(*counted))
    sizes = {part.right for part in parts if isinstance(part, BinOp) and part.op == "Mod"}
    names = [last_name(part) or "" for part in parts if isinstance(part, NAMED)]
    names += [node.name for node in of_kind(event.frame.function, Bind) if node.value in sizes]
    return any("accum" in name.lower() for name in names)
