"""Evaluation passes that record gradients: a model in evaluation mode runs again and again, and nobody turns recording off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.evaluation_passes import Suspended, Within
from trainlint.domains.autograd.graph_leaks import KeptGraphs
from trainlint.domains.autograd.graphs import Graphs
from trainlint.domains.autograd.lifetime import has_few_rounds
from trainlint.domains.grad_mode import ON, GradMode
from trainlint.domains.nn.modules import goes_over, methods_run, runs_layers
from trainlint.domains.train_mode.interpreter import (
    BACKWARD,
    EVALUATE,
    HANDED,
    METHOD,
    PASS,
    SET,
    STEP,
    UNKNOWN,
    Event,
    Run,
    Runs,
    Setting,
)
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, ItemDisplay, Ref, Self, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store, Yield
from trainlint.ir.terms import is_true, mentions, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name, methods_of
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.heap import CONSTRUCTS
from trainlint.program.indirect_calls import Decorated
from trainlint.program.library_uses import uses_framework
from trainlint.program.loops import Loops, loops_leading_to, runs_once
from trainlint.program.object_identity import Identities
from trainlint.program.origins import local_origin
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import surely_running
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, FunctionValue

#: Kinds of functions that can be decorated.
_DECORATED = ("function", "method")
#: What runs a model: a call of it, or of a method that runs its layers.
_RUN = (PASS, METHOD)
#: Passes that are too few to be an evaluation.
_FEW = 10


class Recorded(NamedTuple):
    """A pass of a model that ``setting`` put into evaluation mode, with gradients recorded; ``over`` is the loop around it.

    ``doubt`` says what is not known (empty: nothing): "mode" where something else may have set it since, or of another model;
    "own" where a model out of sight may compute gradients in its pass, as others of the program do; "method" where it is a method
    of a model out of sight, known from models of the program alone. ``whole``: its function does
    nothing but evaluate, and runs models outside of that loop, too. ``called``: the loop trains where others call its function;
    this call evaluates.
    """

    passes: Event
    setting: Setting
    over: Loop | None
    doubt: str = ""
    whole: bool = False
    called: tuple[str, Spot] | None = None


def recorded(program: Program) -> Iterator[Recorded]:
    """The first such pass of each function; a sure one, if there is any."""
    seen: set[int] = set()
    done: set[int] = set()
    doubtful: dict[int, Recorded] = {}
    pending = list(_sites(program))
    for site in pending:
        if id(site.function) in done or not uses_framework(program, site.module):
            continue
        done.add(id(site.function))
        prepares = program.frame(site.module, site.function)
        begun = program.ask(Runs).of(prepares, None)
        if begun is None:
            continue
        above = program.ask(CallGraph).callers(site.function)
        if not any(event.kind in _RUN and _perhaps(begun.events, at) for at, event in enumerate(begun.events)):
            # It only prepares the model: its caller evaluates, or who calls what it is put around.
            pending += [each for each in surely_running(program, [site]) if each in above]
            around = (function for _, function, _ in program.ask(Decorated).by(site.function))
            pending += [each for function in around for each in program.ask(CallGraph).callers(function)]
        elif not any(_evaluates(begun.events, at) and _repeated(program, event) for at, event in enumerate(begun.events)):
            pending += above  # its caller may say that it shall, or hand it one batch after the other
        for frame, run in ((prepares, begun), *_prepared(program, site)):
            for at, event in enumerate(run.events):
                function = event.frame.function
                if (
                    id(function) in seen
                    or _is_other(program, event)
                    or not _evaluates(run.events, at)
                    or not _repeated(program, event)
                ):
                    continue
                if any(
                    program.ask(Suspended).may_be(module, event.keys) for module in (event.frame.module, frame.module)
                ) or _wants_gradients(program, event, frame):
                    continue
                own = program.ask(Within).computes(event.call.term, event.frame)
                known = program.ask(Within).is_seen(event.call.term, event.frame)
                if own and (known or event.kind == METHOD):
                    continue
                if (
                    tests_software(program, frame.module, frame.function)
                    or not _records(program, event, frame)
                    or any(_is_kept(program, each) for each in (function, frame.function))
                    or program.ask(Suspended).is_frozen(event.keys)
                    or (run is not begun and _comes_out(program, event))
                ):
                    continue
                setting = _setting(run.events, at)
                if setting is not None and not own and run is begun and (known or event.kind == PASS):
                    seen.add(id(function))
                    over = _own_loop(event)
                    called = _called(program, event, over)
                    whole = called is None and _is_whole(program, run.events, event, setting, over)
                    yield Recorded(event, setting, over, whole=whole, called=called)
                elif id(function) not in doubtful and not (own and setting is None):
                    perhaps = setting or _perhaps(run.events, at)
                    assert perhaps is not None
                    over = _own_loop(event)
                    doubt = "own" if own else "mode" if known or event.kind == PASS else "method"
                    doubtful[id(function)] = Recorded(event, perhaps, over, doubt, called=_called(program, event, over))
    yield from (found for key, found in doubtful.items() if key not in seen)


def _prepared(program: Program, site: CallSite) -> Iterator[tuple[Context, Run]]:
    """Where a constructor prepares a model: the methods of the object, as they run behind it."""
    owner = program.modules[site.module].classes.get(site.function.cls or "")
    if owner is None or site.function.name not in CONSTRUCTS:
        return
    asked, made = program.ask(Runs), contexts_at(program, site)
    for path, method in methods_of(program, ClassValue(site.module, owner)) if made else ():
        if method.name not in CONSTRUCTS:
            frame = program.frame(path, method)
            run = asked.of(frame, None, asked.of(made[0], None))
            if run is not None:
                yield frame, run


def _comes_out(program: Program, event: Event) -> bool:
    """Whether what a pass computed leaves its function with its graph: as far as is seen here, somebody may differentiate it."""
    function, made = event.frame.function, (event.call.term, event.frame)
    values = [*program.returns(function), *(node.value for node in of_kind(function, Yield) if node.value is not None)]
    values += [node.value for node in of_kind(function, Store)] + [node.value for node in of_kind(function, Keep)]
    return any(made in program.ask(Graphs).held(value, event.frame) for value in values)


def _sites(program: Program) -> Iterator[CallSite]:
    """Where models are put into evaluation mode: ``eval()``, ``train(False)``."""
    asked = program.ask(CallGraph)
    for name in sorted(program.knowledge.evaluates | program.knowledge.ends_evaluation):
        for site in asked.sites.get(name, ()):
            call = site.call.term
            given = (*call.args, *(value for _, value in call.kwargs))
            off = bool(given) and isinstance(given[0], Const) and given[0].value is False
            if isinstance(call.callee, Attr) and (off if name in program.knowledge.ends_evaluation else not call.args):
                yield site


def _setting(events: list[Event], at: int) -> Setting | None:
    """What put the model of a pass into evaluation mode; None where something else may have set its mode.

    What is out of sight may have set any, as far as is known; where nothing in sight trains the model, that does not count.
    """
    words = {setting.word for setting in events[at].settings}
    if words == {EVALUATE}:
        return next(iter(events[at].settings))
    before = [each for each in events[:at] if each.kind == SET and not each.keys.isdisjoint(events[at].keys)]
    if words - {EVALUATE, UNKNOWN} or not before or any({one.word for one in each.settings} != {EVALUATE} for each in before):
        return None
    return next(iter(before[-1].settings))


def _perhaps(events: list[Event], at: int) -> Setting | None:
    """What may have put the model of a pass into evaluation mode; None where nothing did.

    Which of several models was made, or what somebody out of sight has done since, is not known then.
    """
    before = [each for each in events[:at] if each.kind == SET and not each.keys.isdisjoint(events[at].keys)]
    said = {setting for each in (events[at], *before) for setting in each.settings if setting.word == EVALUATE}
    return max(said, key=_place, default=None)


def _place(setting: Setting) -> tuple[str, Spot]:
    """Where a mode is set."""
    assert setting.call is not None
    assert setting.frame is not None
    return setting.frame.module, setting.call.term.site


def _is_other(program: Program, event: Event) -> bool:
    """Whether a method is called that may turn gradients off itself, or do something else."""
    callee = event.call.term.callee
    if event.kind == METHOD or not isinstance(callee, Attr):
        return False
    own = isinstance(callee.base, Self) and callee.name in program.knowledge.passes  # a method that a model's own methods call
    return own or (callee.name in program.knowledge.other_passes and not _applies(program, event))


def _applies(program: Program, event: Event) -> bool:
    """Whether a method is seen to run layers: then it is seen, too, whether it turns gradients off."""
    found = program.ask(CallGraph).targets(event.call.term, event.frame)
    return bool(found) and all(
        isinstance(each, FunctionValue) and program.ask_of(runs_layers, (each.module, each.function)) for each in found
    )


def _evaluates(events: list[Event], at: int) -> bool:
    """Whether a pass is of a model that was put into evaluation mode, and no gradients of it are computed."""
    event = events[at]
    if event.kind not in _RUN or not event.keys or _perhaps(events, at) is None:
        return False
    for later in events[at:]:
        inside = later.inside
        if later.kind == BACKWARD and inside == event.inside[: len(inside)] and _share(event, later, inside):
            return False
    inside = event.inside
    return not any(
        (other.kind == BACKWARD or (other.kind == HANDED and other.keys & event.keys))
        and inside
        and inside[-1] in other.inside
        and _share(event, other, inside)
        for other in events
    )


def _share(event: Event, other: Event, loops: tuple[Loop, ...]) -> bool:
    """Whether two events are in one run of the last of these loops: ``epoch(training=False)`` runs its loop once more."""
    if not loops:
        return True
    here, there = _activation(event, loops[-1]), _activation(other, loops[-1])
    return here is None or there is None or here is there or here.call is there.call


def _activation(event: Event, loop: Loop) -> Context | None:
    """The activation on the way to an event in whose function a loop stands."""
    at: Context | None = event.frame
    while at is not None and not any(each is loop for each in of_kind(at.function, Loop)):
        at = at.caller
    return at


def _repeated(program: Program, event: Event) -> bool:
    """Whether the pass is made again and again: in a loop, here or around the calls that lead here, or with the next batch."""
    if event.kind == METHOD and any(
        program.ask_of(goes_over, (each.module, each.function)) for each in methods_run(program, event.call.term, event.frame)
    ):
        return True
    made = local_origin(program, event.call.term.callee, event.frame)
    several = (
        loop
        for loop, at in loops_leading_to(event.call, event.frame)
        if not runs_once(loop)
        and not has_few_rounds(loop)
        and not _is_written(loop.subject)
        and not (at is event.frame and isinstance(made, Call) and within(at.function, loop, made))  # each has a model of its own
    )
    return any(True for _ in several) or any(last_name(node.term.callee) == "next" for node in calls_of(event.frame.function))


def _is_written(subject: Term) -> bool:
    """Whether a loop goes over a few things that are written down: sizes, scales, a model of each kind."""
    return isinstance(subject, ItemDisplay) and 0 < len(subject.items) <= _FEW


def _wants_gradients(program: Program, event: Event, frame: Context) -> bool:
    """Whether a function on the way from ``eval()`` to the pass computes gradients, prepares for that, or freezes the model."""
    names = program.knowledge.asks_gradients - program.knowledge.steps - program.knowledge.training
    at: Context | None = event.frame
    while at is not None:
        if any(_asks(node, names) or _freezes(program, node, at, event) for node in calls_of(at.function)):
            return True
        at = at.caller if at is not frame else None
    return False


def _asks(node: CallStep, names: frozenset[str]) -> bool:
    """Whether a call asks for gradients: ``requires_grad_(False)`` says that there will be none."""
    given = (*node.term.args, *(value for _, value in node.term.kwargs))
    return last_name(node.term.callee) in names and not (given and isinstance(given[0], Const) and given[0].value is False)


def _freezes(program: Program, call: CallStep, frame: Context, event: Event) -> bool:
    """Whether a call turns the gradients of the model's parameters off; a method of it out of sight may."""
    callee, asked = call.term.callee, program.ask(Identities)
    models = (callee.base, *call.term.args) if isinstance(callee, Attr) else call.term.args
    if call is event.call or not any(asked.of(each, frame) & event.keys for each in models if not isinstance(each, (Const, Ref))):
        return False
    targets = program.ask(CallGraph).targets(call.term, frame)
    for target in targets:
        if isinstance(target, FunctionValue):
            stores = (node.target for node in of_kind(target.function, Store))
            if any(isinstance(each, Attr) and each.name in program.knowledge.freezes for each in stores):
                return True
    known = (
        program.knowledge.fluent
        | program.knowledge.evaluates
        | program.knowledge.ends_evaluation
        | program.knowledge.takes_weights
        | frozenset(program.knowledge.tables["checkpoints.folders"]["names"])
    )
    if targets or not isinstance(callee, Attr):
        return False
    own = callee.name not in known and callee.name not in program.knowledge.passes
    return bool(own and asked.of(callee.base, frame) & event.keys and call.statement == call.term.site)


def _records(program: Program, event: Event, frame: Context) -> bool:
    """Whether gradients are recorded there, as far as callers can be seen, and the model itself does not turn them off."""
    mode, index = program.ask(GradMode), program.ask(CallGraph)
    if mode.off_in(methods_run(program, event.call.term, event.frame)):
        return False
    if mode.at(event.frame, Spot(*event.call.term.site)) != ON or _was_off(program, event.call.term):
        return False
    spot, at = event.call.term.site, event.frame
    while at is not frame and at.call is not None and at.caller is not None:
        spot, at = at.call.site, at.caller
    function = frame.function
    if (
        function.kind != "module"
        and not index.callers(function)
        and any(_may_be_off(program, each) for each in index.candidates(function))
    ):
        return False  # somebody calls something of that name
    return all(mode.at(each, Spot(*spot)) == ON for each in calling_contexts(program, frame.module, function))


def _may_be_off(program: Program, site: CallSite) -> bool:
    """Whether gradients may be off where something is called, or who it is calls nobody knows."""
    mode, spot = program.ask(GradMode), Spot(*site.call.term.site)
    return any(mode.at(each, spot) != ON for each in contexts_at(program, site))


def _was_off(program: Program, call: Call) -> bool:
    """Whether what a model is given turned recording off in the PyTorch that the code is written for (``volatile=True``)."""
    names = program.knowledge.unrecorded_by
    given = (part for part in parts_of(*call.args) if isinstance(part, Call))
    return any(name in names and is_true(value) for part in given for name, value in part.kwargs)


def _is_kept(program: Program, function: Function) -> bool:
    """Whether graphs of such a pass are kept there: then that is what is to be said of it."""
    return any(kept.evaluated and kept.sink.function is function for kept in program.ask(KeptGraphs).found)


def _is_whole(program: Program, events: list[Event], event: Event, setting: Setting, over: Loop | None) -> bool:
    """Whether the function that puts the model into evaluation mode runs it outside of a loop, too, and trains none."""
    function = event.frame.function
    if setting.frame is None or setting.frame.function is not function or function.decorators or function.generator:
        return False
    own = [each for each in events if each.frame.function is function]
    passes = [each for each in own if each.kind == PASS and each.keys & event.keys]
    outside = [each.call.term for each in passes if over is None or not within(function, over, each.call)]
    lasting = [*(node.value for node in of_kind(function, Store)), *program.returns(function)]
    if any(mentions(kept, call) for kept in lasting for call in outside):
        return False  # who has it may want its gradients
    evaluated = all({one.word for one in each.settings} == {EVALUATE} for each in passes)
    return function.kind in _DECORATED and bool(outside) and evaluated and not any(each.kind in (BACKWARD, STEP) for each in own)


def _called(program: Program, event: Event, over: Loop | None) -> tuple[str, Spot] | None:
    """The call of a function that evaluates this time, where its loop has a backward pass for other calls."""
    frame, asked = event.frame, program.ask(Loops)
    if over is None or frame.caller is None or frame.call is None:
        return None
    trains = asked.says(frame.module, frame.function, over.body, frozenset(program.knowledge.backward))
    return (frame.caller.module, frame.call.site) if trains else None


def _own_loop(event: Event) -> Loop | None:
    """The outermost loop around a pass in its own function."""
    own = of_kind(event.frame.function, Loop)
    return next((each for each in event.inside if any(each is loop for loop in own)), None)
