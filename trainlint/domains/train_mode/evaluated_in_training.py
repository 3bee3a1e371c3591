"""Evaluation passes in training mode: in a loop that trains as well, or of a model that was only loaded.

Which passes of a model are only measured: what comes of them is compared, counted, added up, or made a number to be
told.

That is what an evaluation does, whatever it is called. Outputs that go anywhere else (stored, handed to somebody
whose answer is used, returned and used so) may be there for something else: labels to train with, actions,
statistics of batch norm.

What names say of a pass: that it evaluates, on held-out data.

Evaluation passes of a model in training mode: a loop trains it and validates it, and nothing puts it into
evaluation mode.

Models that only evaluate, in the mode in which modules are made: weights are loaded into them, and nobody calls
``eval()``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from trainlint.domains.grad_mode import OFF, GradMode
from trainlint.domains.nn.modules import of_module
from trainlint.domains.train_mode.evidence import is_trained, put_to_evaluation, put_to_training, sources, trained
from trainlint.domains.train_mode.interpreter import (
    BEFORE,
    PASS,
    SET,
    TRAIN,
    Event,
    Run,
    is_comprehension,
    runs,
    whole_runs,
)
from trainlint.domains.train_mode.left_in_evaluation import trains
from trainlint.domains.train_mode.mode_dependence import Moded
from trainlint.finding import Spot
from trainlint.ir.bindings import carried_in, held_at_end
from trainlint.ir.nodes import (
    NAMES,
    And,
    Asserted,
    Attr,
    BinOp,
    Call,
    Compare,
    Dict,
    Element,
    Global,
    Invert,
    List,
    LoopPhi,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Slice,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Statement, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.terms import root_of as stem_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, methods_of
from trainlint.program.def_use import Uses
from trainlint.program.library_uses import uses_framework
from trainlint.program.loops import sampled
from trainlint.program.naming import words_in
from trainlint.program.object_identity import Allocation, Identities, Key, Keys, Parameter, place_of, root_of
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, FunctionValue

#: What hands out the values of a tensor, and what leaves as many of them as there were.
_VALUES, _STILL_MANY = "values", frozenset(("cpu", "numpy", "tolist"))
#: What a value is a part of that is made of it, and no place where it goes.
_MADE_OF = frozenset((Attr, Subscript, BinOp, Invert, Not, Tuple, List, Select, And, Or, Asserted, Element, Slice, Dict))


class _Value(NamedTuple):
    """Something made of an output, in an activation; ``number``: what was compared or counted, or is no tensor any more."""

    term: Term
    frame: Context
    number: bool


def measured(program: Program, event: Event) -> bool:
    """Whether the output of a pass is only measured, as far as its function and those that call it show."""
    term, function = event.call.term, event.frame.function
    given = parts_of(*term.args, *(value for _, value in term.kwargs))
    carried = (carried_in(function, part) for part in given if isinstance(part, LoopPhi))
    if any(term in parts_of(end) for each in carried if each is not None for end in (each.entry, each.back)):
        return False  # the next round is given what came of it, as in a game
    return _Measuring(program).ends_well(_Value(event.call.term, event.frame, number=False))


class _Measuring:
    """One output on its way."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._pending: list[_Value] = []
        self._seen: set[_Value] = set()
        self._counts = False

    def ends_well(self, output: _Value) -> bool:
        """Whether it is counted somewhere, and goes nowhere else."""
        self._pending.append(output)
        while self._pending:
            value = self._pending.pop()
            if value in self._seen:
                continue
            self._seen.add(value)
            if not self._goes_well(value):
                return False
        return self._counts

    def _goes_well(self, value: _Value) -> bool:
        for parent, function in self._parents(value.frame).get(value.term, ()):
            if function is not value.frame.function:
                continue
            well = self._made_of(value, parent) if isinstance(parent, Term) else self._stands(value, parent)
            if not well:
                return False
        return True

    def _parents(self, frame: Context) -> Mapping[Term, Sequence[tuple[Term | Statement, Function]]]:
        return self.program.ask(Uses).parents(frame.module).of

    def _also(self, term: Term, frame: Context, *, number: bool) -> bool:
        self._counts = self._counts or number
        self._pending.append(_Value(term, frame, number))
        return True

    def _stands(self, value: _Value, node: Statement) -> bool:
        """What a statement does with a value."""
        if isinstance(node, CallStep):
            return True
        if isinstance(node, If):
            self._counts = True
            return True
        if isinstance(node, Keep) and node.target in parts_of(node.value):
            self._counts = True  # a total
            return True
        if isinstance(node, (Keep, Store)):
            return value.number
        if isinstance(node, Exit) and node.kind == "return":
            frame = value.frame
            if frame.caller is None or frame.call is None:
                return value.number
            return self._also(frame.call, frame.caller, number=value.number)
        return False

    def _made_of(self, value: _Value, parent: Term) -> bool:
        """What a value is used for in a larger expression."""
        if isinstance(parent, Compare):
            return self._also(parent, value.frame, number=True)
        if type(parent) in _MADE_OF:
            return self._also(parent, value.frame, number=value.number)
        if not isinstance(parent, Call):
            return False
        if parent.callee is value.term:
            reads = (
                isinstance(value.term, Attr)
                and self.knowledge.reads.get(value.term.name) == _VALUES
                and value.term.name not in _STILL_MANY
            )
            return self._also(parent, value.frame, number=value.number or reads)
        return self._handed(value, parent)

    def _handed(self, value: _Value, call: Call) -> bool:
        """What a call makes of a value that it is given."""
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self.knowledge.gathers:
            return value.number or (isinstance(callee.base, List) and self._also(callee.base, value.frame, number=False))
        name = callee.name if isinstance(callee, Ref) else ""
        if name in self.knowledge.reads or name == "builtins.print":
            return self._also(call, value.frame, number=True)
        if isinstance(callee, Ref) or not any(
            not isinstance(each, CallStep) for each, _ in self._parents(value.frame).get(call, ())
        ):
            return (isinstance(callee, Ref) or value.number) and self._also(call, value.frame, number=value.number)
        # A loss or a metric is computed of tensors; who answers to a number is something else, as an environment is.
        return not value.number and self._also(call, value.frame, number=False)


def says_evaluation(program: Program, event: Event, frame: Context, loop: Loop | None) -> bool:
    """Whether names say that a pass evaluates: of the loops around it in the loop, or its functions, up to the frame."""
    wanted = program.knowledge.evaluation_words
    inner = [each for each in event.inside if each is not loop]
    if any(not wanted.isdisjoint(words_in(name)) for each in inner for name in _names(each.subject, event.frame)):
        return True
    at: Context | None = event.frame
    while at is not None and (at is not frame or loop is None):
        if not wanted.isdisjoint(words_in(at.function.name)):
            return True
        at = at.caller if at is not frame else None
    return False


def _names(subject: Term, frame: Context) -> Iterator[str]:
    """The names in what a loop goes over: of loaders, datasets, settings, also of local variables."""
    parts = set(parts_of(subject))
    for part in parts:
        if isinstance(part, NAMES):
            yield part.name.rpartition(".")[2]
    at: Context | None = frame
    while at is not None:
        yield from (name for name, held in held_at_end(at.function).items() if held in parts)
        at = at.caller


class Unswitched(NamedTuple):
    """A pass of the model ``key`` over data to evaluate on, in the mode in which ``trains`` trains it.

    ``over`` is the loop of the evaluation pass, where it has one of its own in that function. ``restored``: the loop puts the
    model into training mode behind the pass, or in each round before it trains. ``sure``: more than one thing says that it
    evaluates.
    """

    key: Key
    passes: Event
    trains: Event
    over: Loop | None
    restored: bool
    frame: Context
    loop: Loop | None
    sure: bool


def evaluated_in_training(program: Program) -> Iterator[Unswitched]:
    """Each evaluation pass of a model in training mode, once, in the innermost loop that trains it too, or behind that.

    Sure ones come first.
    """
    seen = set()
    doubted = []
    behind: Iterator[tuple[Context, Loop | None, Run]] = ((frame, None, run) for frame, run in whole_runs(program))
    for frame, loop, run in chain(runs(program, evaluating=False), behind):
        for found in _unswitched(program, frame, loop, run):
            if not uses_framework(program, frame.module):
                continue
            if found.sure and _place(found) not in seen:
                yield found
            if found.sure:
                seen.add(_place(found))
            elif loop is not None:  # behind a training people sample, and draw pictures
                doubted.append(found)
    for found in doubted:
        if _place(found) not in seen:
            seen.add(_place(found))
            yield found


def _place(found: Unswitched) -> tuple[str, str]:
    return found.passes.frame.module, found.passes.frame.function.qualname


def _unswitched(program: Program, frame: Context, loop: Loop | None, run: Run) -> Iterator[Unswitched]:
    passes = [
        (at, each, key) for at, each in enumerate(run.events) if each.kind == PASS and len(each.keys) == 1 for key in each.keys
    ]
    often = {key for key, times in Counter(key for _, _, key in passes).items() if times > 1}
    passes = [(at, event, key) for at, event, key in passes if key in often]  # one to train the model, one to evaluate it
    training: dict[Key, int] = {}
    for at, event, key in passes:
        if key not in training and _known(program, run, event) and trains(program, run.events, at):
            training[key] = at
    for at, event, key in passes:
        if key not in training or trains(program, run.events, at):
            continue
        other = run.events[training[key]]
        if not (_is_apart(event, other, frame) if loop is not None else _is_behind(event, other)):
            continue
        if any(each.kind == SET and key in each.keys for each in run.events[training[key] : at]) or _asks_for_it(event, other):
            continue  # the evaluation pass asks for this mode itself
        if not _in_training_mode(program, key, event, other):
            continue
        sure = _evaluates(program, event, frame, loop)
        if sure is not None:
            around = (*run.events[: training[key]], *run.events[at + 1 :])
            restored = loop is None or any(each.kind == SET and key in each.keys for each in around)
            yield Unswitched(key, event, other, _own_loop(event, other), restored, frame, loop, sure)


def _asks_for_it(event: Event, training: Event) -> bool:
    """Whether the function of a pass, in which nothing trains, put the model into training mode before it."""
    if event.frame in training.frame.active():
        return False
    return any(setting.frame is not None and event.frame in setting.frame.active() for setting in event.settings)


def _is_apart(event: Event, training: Event, frame: Context) -> bool:
    """Whether a pass is in a loop or in a function of its own, not beside what trains."""
    if event.frame.function is training.frame.function and event.inside == training.inside:
        # Another pass of the same step, as by the model that a loss is relative to; unless the whole loop is run once more.
        return event.frame is not training.frame and any(each is event.inside[-1] for each in of_kind(event.frame.function, Loop))
    if len(event.inside) > 1 or event.frame.function is not frame.function:
        return True
    return any(is_comprehension(each) for each in loops_around(event.frame.function, event.call))


def _is_behind(event: Event, training: Event) -> bool:
    """Whether a pass comes behind the loop that trains, in a loop of its own."""
    own = event.inside or [each for each in loops_around(event.frame.function, event.call) if is_comprehension(each)]
    return bool(own and training.inside) and own[0] is not training.inside[0]


def _in_training_mode(program: Program, key: Key, event: Event, training: Event) -> bool:
    """Whether the pass runs in the mode that was set for training, or in that in which modules are made, and it matters."""
    words = {setting.word for setting in event.settings}
    if words - {TRAIN, BEFORE} or not {each for each in event.settings if each.word == TRAIN} <= training.settings:
        return False
    matters = program.ask(Moded).has(key)
    if TRAIN in words:
        return matters is not False
    every = sources(program, key)
    wanted = matters is True or (matters is None and not program.ask(put_to_training).isdisjoint(every))
    return wanted and program.ask(put_to_evaluation).isdisjoint(every)


def _evaluates(program: Program, event: Event, frame: Context, loop: Loop | None) -> bool | None:
    """Whether a pass is an evaluation: True where two of three things say so, since a name alone proves nothing; None for none.

    Gradients are off, the output is only measured, the names of the functions or of the data speak of evaluation.
    """
    if sampled(program, event.call, event.frame):
        return None
    off = program.ask(GradMode).at(event.frame, event.call.term.site) == OFF or _turns_off(program, event)
    named = says_evaluation(program, event, frame, loop)
    if off and named:
        return True
    said = (off, named, measured(program, event)).count(True)
    return said > 1 if said else None


def _turns_off(program: Program, event: Event) -> bool:
    """Whether a method of a library's model is called that records no gradients."""
    callee = event.call.term.callee
    return (
        isinstance(callee, Attr)
        and callee.name in program.knowledge.tables["passes.unrecorded"]["names"]
        and not any(isinstance(each, FunctionValue) for each in program.ask(CallGraph).targets(event.call.term, event.frame))
    )


def _known(program: Program, run: Run, event: Event) -> bool:
    (key,) = event.keys
    return key in run.trained or is_trained(program, key)


def _own_loop(event: Event, training: Event) -> Loop | None:
    """The outermost loop around a pass in its own function in which the other one is not."""
    own = of_kind(event.frame.function, Loop)
    inside = [each for each in event.inside if not any(each is other for other in training.inside)]
    return next((each for each in inside if any(each is loop for loop in own)), None)


#: What a call of a model is written as.
_CALLED = frozenset((Param, Attr, Global, LoopPhi, Call, Select, Subscript))


class AsMade(NamedTuple):
    """A pass without gradients of a model that is in the mode in which it was made, and the call that loads its weights.

    ``doubt``: "recorded", it may be no evaluation, since gradients are recorded; "others", something else is trained or put into
    some mode in the files around.
    """

    call: CallStep
    frame: Context
    loads: CallSite
    doubt: str | None = None


def evaluated_as_made(program: Program) -> Iterator[AsMade]:
    """The first such pass of each model, one without doubts if there is one."""
    candidates = _candidates(program)
    if not candidates:
        return
    asked, seen = program.ask(Identities), set[Key]()
    doubted: list[tuple[set[Key], AsMade]] = []
    for path, function in list(program.functions()):
        if not uses_framework(program, path) or tests_software(program, path, function):
            continue
        frame = program.frame(path, function)
        for node in calls_of(function):
            if (
                type(node.term.callee) not in _CALLED
                or not _is_pass(program, node.term, frame)
                or _is_meant(program, node, frame)
            ):
                continue
            keys = asked.of(node.term.callee, frame)
            made = frozenset[Key]().union(*(sources(program, key) for key in keys))
            models: set[Key] = {key for key in made if not isinstance(key, Parameter)}
            if not models or not models <= candidates.keys() or models <= seen:
                continue
            loading = {key: site for key, site in candidates.items() if key in models}
            off = program.ask(GradMode).always_off(frame, Spot(*node.term.site))
            loads = loading[min(loading, key=place_of)]
            others = any(_sets_modes(program, key, site) for key, site in loading.items())
            if off and not others:
                seen |= models
                yield AsMade(node, frame, loads)
            elif _is_set_as_a_part(program, node.term, path, function):
                continue
            elif off or not (others or of_module(program, path, function)):  # the pass of a part is that of its whole
                doubted.append((models, AsMade(node, frame, loads, "others" if off else "recorded")))
    for models, found in doubted:
        if not models <= seen:
            seen |= models
            yield found


def _is_set_as_a_part(program: Program, call: Call, path: str, function: Function) -> bool:
    """Whether a model is a part of the object whose method runs it, which puts itself into a mode: ``self.eval()``."""
    cls = program.modules[path].classes.get(function.cls or "")
    if cls is None or not isinstance(stem_of(call.callee), Self):
        return False
    names = program.knowledge.evaluates | program.knowledge.ends_evaluation
    callees = [node.term.callee for _, method in methods_of(program, ClassValue(path, cls)) for node in calls_of(method)]
    return any(isinstance(each, Attr) and each.name in names and isinstance(each.base, Self) for each in callees)


def _candidates(program: Program) -> dict[Allocation, CallSite]:
    """The models with weights from a file that nobody trains and nobody puts into any mode, with what loads the weights."""
    asked, found = program.ask(Identities), dict[Allocation, CallSite]()
    for name in sorted(program.knowledge.takes_weights):
        for site in program.ask(CallGraph).sites.get(name, ()):
            callee = site.call.term.callee
            if not isinstance(callee, Attr) or _is_copied(program, site.call.term):
                continue
            for key in asked.of(callee.base, program.frame(site.module, site.function)):
                found.update((each, site) for each in sources(program, key) if isinstance(each, Allocation))
    if not found:
        return found
    set_somewhere = _everywhere(program, program.ask(put_to_evaluation) | program.ask(put_to_training) | program.ask(trained))
    set_somewhere |= _everywhere(program, frozenset(_handed_to_who_sets(program)))
    return {key: site for key, site in found.items() if key not in set_somewhere and program.ask(Moded).has(key) is True}


def _handed_to_who_sets(program: Program) -> Iterator[Key]:
    """What objects of the project are made with, one of whose methods puts something that they keep into a mode."""
    names = {*program.knowledge.evaluates, *program.knowledge.ends_evaluation}
    sets: dict[int, bool] = {}
    for path, function in program.functions():
        frame = program.frame(path, function)
        for node in calls_of(function):
            given = [*node.term.args, *(value for _, value in node.term.kwargs)]
            for value in program.values(node.term.callee, frame) if given else ():
                if isinstance(value, ClassValue):
                    if id(value.cls) not in sets:
                        sets[id(value.cls)] = _calls_on_own(program, value, names)
                    for each in given if sets[id(value.cls)] else ():
                        yield from program.ask(Identities).of(each, frame)


def _calls_on_own(program: Program, cls: ClassValue, names: Collection[str]) -> bool:
    """Whether a method of a class, or of one above it, calls one of these on what its object keeps."""
    callees = [node.term.callee for _, method in methods_of(program, cls) for node in calls_of(method)]
    return any(
        isinstance(callee, Attr) and callee.name in names and isinstance(callee.base, Attr) and isinstance(stem_of(callee), Self)
        for callee in callees
    )


def _everywhere(program: Program, keys: Keys) -> set[Key]:
    """Models, what callers call them, and the wholes that parts are parts of."""
    found: set[Key] = set()
    for key in keys:
        found |= sources(program, root_of(key))
    return found


def _is_copied(program: Program, call: Call) -> bool:
    """Whether the weights are those of a model that lives: then it may be a copy that follows that one."""
    names = program.knowledge.copies_weights
    return any(
        isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in names
        for given in call.args
        for part in parts_of(given)
    )


def _sets_modes(program: Program, key: Allocation, site: CallSite) -> bool:
    """Whether anything is trained or put into some mode in the files that make the model and load it, whatever it is."""
    knowledge = program.knowledge
    names = (*knowledge.evaluates, *knowledge.ends_evaluation, *knowledge.backward)
    places = {site.module, key.module}
    maker = program.ask(Identities).makers.get(key)
    cls = getattr(maker, "module", None)
    if cls is not None:
        places.add(cls)
    return any(each.module in places for name in names for each in program.ask(CallGraph).sites.get(name, ()))


def _is_meant(program: Program, call: CallStep, frame: Context) -> bool:
    """Whether a pass is to be random, or there for what it does to the model: new averages. Nobody uses its output then."""
    used = program.ask(Uses).parents(frame.module).of.get(call.term, ())
    return sampled(program, call, frame) or all(isinstance(each, CallStep) for each, _ in used)


def _is_pass(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call runs a model: the object itself, or its pass."""
    callee = call.callee
    if isinstance(callee, Attr) and callee.name in program.knowledge.passes:
        return True
    targets = [each for each in program.ask(CallGraph).targets(call, frame) if isinstance(each, FunctionValue)]
    return all(target.function.name in ("forward", "__call__") for target in targets) and _mentions_object(program, callee, frame)


def _mentions_object(program: Program, callee: Term, frame: Context) -> bool:
    """Whether what is called is an object that was made, not a method of one."""
    return any(isinstance(key, (Allocation, Parameter)) for key in program.ask(Identities).of(callee, frame))
