"""What is moved from XLA to the host: models and tensors, values in every step, gradients one by one, checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

from trainlint.domains.asynchronous.every_step import is_handed_on
from trainlint.domains.checkpoints.saves import Save, Written
from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.dynamo.graph_breaks import cut_at
from trainlint.domains.xla.registered_models import Supposed, registered_losses
from trainlint.domains.xla.tensors import Tensors
from trainlint.domains.xla.training_loops import Xla, XlaLoop
from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Composite,
    Comprehension,
    Const,
    Element,
    Global,
    Not,
    Param,
    Select,
    Self,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Block, CallStep, Choice, Exit, Function, If, Loop, Statement, Try, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import Entered, Region, of_kind, reachable, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import truth
from trainlint.program.contexts import calling_contexts
from trainlint.program.leading import Leading
from trainlint.program.loops import Loops, repeats, trains
from trainlint.program.memo import remembered
from trainlint.program.origins import origin
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import executed
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import returned
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library


def to_host(program: Program, call: Call) -> bool:
    """Whether a method's call moves its object to the host: ``x.cpu()``, ``x.to("cpu")``, ``x.to(torch.device("cpu"))``."""
    if not isinstance(call.callee, Attr):
        return False
    method = call.callee.name
    hosts = program.knowledge.tables["xla.hosts"]["names"]
    if method in hosts:
        return not call.args
    if method not in program.knowledge.fluent:
        return False
    given = [each.args[0] if isinstance(each, Call) and each.args else each for each in call.args]
    return any(isinstance(each, Const) and each.value in hosts for each in given)


class Fetch(NamedTuple):
    """The first value that a function fetches in each step of a loop on XLA; ``more`` are the others.

    ``shown`` says that the value is only kept: then it can stay on the device as it is.
    """

    loop: XlaLoop
    module: str
    call: CallStep
    more: tuple[Spot, ...]
    shown: bool
    trained: bool
    registered: tuple[str, Spot] | None = None
    """Where the loss is put into a table from which the loop may get it; None when the loop is seen to run it."""


class _Computed(Tensors):
    """Tensors on the device; whatever is called like a module and given one returns one, too.

    Only of what is then read as a tensor is this asked: a model that is handed in from out of sight is no reason for silence.
    """

    def _result(self, call: Call, frame: Context) -> bool:
        given = (*call.args, *(value for _, value in call.kwargs))
        if super()._result(call, frame) or any(map(self._are_parameters, given)):
            return True
        return self._is_handed_in(call.callee, frame) and any(self.on_device(each, frame) for each in given)

    def _are_parameters(self, term: Term) -> bool:
        """``model.parameters()``: what trains on the device is there."""
        names: list[str] = self.program.knowledge.tables["xla.weights"]["names"]
        return isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in names and not term.args

    def _is_handed_in(self, callee: Term, frame: Context) -> bool:
        """``model(x)``, ``self.criterion(x, y)``: something that is held, of which nothing else is known."""
        if isinstance(callee, Attr) and not isinstance(callee.base, Self):
            return False
        if not isinstance(callee, (Param, Access, Global, Unknown, Call)):
            return False
        known = (FunctionValue, ClassValue, Library, Instance)
        return not any(isinstance(value, known) for value in self.program.values(callee, frame))

    def is_computed(self, term: Term, frame: Context) -> bool:
        """Whether a term is a tensor on the device and not a part of the batch as it was loaded."""
        if not self.on_device(term, frame):
            return False
        while True:
            if isinstance(term, Param):
                bound = frame.given(term)
                if not isinstance(bound, Argument):
                    return False
                term, frame = bound.term, bound.frame
            elif isinstance(term, Access):
                term = term.base
            else:
                return bool(not isinstance(term, (Element, Unknown)))


class _Walk:
    """What one loop runs in every one of its rounds."""

    def __init__(self, program: Program, loop: XlaLoop) -> None:
        self.program = program
        self.tensors = _Computed(program)
        self.xla = program.ask(Xla)
        self.marks = frozenset(program.knowledge.tables["xla.marks"]["names"])
        self.reads = program.knowledge.tables["xla.reads"]
        self.names = frozenset(name.rpartition(".")[2] for name in self.reads)
        self.loop = loop
        self.seen: set[int] = set()
        self.marked = False
        #: The tests (by id) that come before the backward pass: a round that ends there is no step.
        self.before = frozenset(self._before())

    def _before(self) -> Iterator[int]:
        asked, names = self.program.ask(Loops), frozenset(self.program.knowledge.backward)
        found: list[int] = []
        for node in walk(self.loop.body):
            if isinstance(node, If):
                found.append(id(node))
            elif isinstance(node, CallStep) and asked.call_says(node.term, self.loop.frame, names):
                yield from found
                return

    def block(self, block: Block, frame: Context) -> Iterator[tuple[Context, CallStep]]:
        """The calls that fetch something, before the step is marked; what stands under a test is not in every step."""
        for node, here in executed(block, frame, self._inside, self._callees):
            if (
                isinstance(node, CallStep)
                and self._fetches(node.term, here)
                and not cut_at(self.program, here.module, node.term.site)
            ):
                yield here, node

    def _inside(self, block: Block, frame: Context) -> Iterator[Statement]:
        """What a block runs in every step, up to where the step is marked, in it or in what it calls."""
        marks = False
        for node in reachable(block, partial(self.entered, frame)):
            if self.marked:
                return
            yield node
            if isinstance(node, CallStep):
                self.marked = self.marked or self.program.ask(Loops).call_says(node.term, frame, self.marks)
            marks = marks or (isinstance(node, With) and self._marks(node, frame))
        self.marked = self.marked or marks

    def entered(self, frame: Context, node: Region | Choice) -> Entered | None:
        """What of a region runs in every step."""
        if isinstance(node, (If, Choice)):
            known = truth(self.program, node.condition, frame)
            if known is None:
                known = self.xla.arm(node.condition, frame)
            if known is not None:
                return Entered((node.body if known else node.orelse,), instead=True)
            return Entered((), instead=True, ends=self._leaves(node, frame))
        if isinstance(node, With):
            return Entered((node.body,), ends=self._marks(node, frame))
        return Entered((node.body, node.final) if isinstance(node, Try) else (node.body,))

    def _marks(self, node: With, frame: Context) -> bool:
        """Whether the step is marked where a ``with`` ends."""
        calls = (item for item in node.items if isinstance(item, Call))
        return any(self.xla.role(value) == "step" for item in calls for value in self.program.values(item.callee, frame))

    def _leaves(self, node: If | Choice, frame: Context) -> bool:
        """Whether what follows a test does not run in every step: an arm goes on with the next one, or leaves a function."""
        if id(node) in self.before:
            return False
        ends = ("continue",) if frame is self.loop.frame else ("continue", "return")
        return any(isinstance(each, Exit) and each.kind in ends for each in (*walk(node.body), *walk(node.orelse)))

    def _callees(self, node: CallStep, frame: Context) -> Iterator[Context]:
        for target in self.tensors.targets(node.term, frame):
            inner = self.program.enter(target, node.term, frame)
            called = target.function.qualname
            if id(target.function) in self.seen or target.function.generator:
                continue
            if any(self.tensors.on_device(Param.new(called, name), inner) for name in inner.arguments):
                self.seen.add(id(target.function))
                yield inner

    def _fetches(self, call: Call, frame: Context) -> bool:
        name = last_name(call.callee)
        if isinstance(call.callee, Attr) and to_host(self.program, call):
            return self.tensors.is_computed(call.callee.base, frame)
        if name not in self.names:
            return False
        if isinstance(call.callee, Attr) and not call.args and self.reads.get(name) == "method":
            return self.tensors.is_computed(call.callee.base, frame)
        if not any(
            isinstance(value, Library) and self.reads.get(value.name) == "function"
            for value in self.program.values(call.callee, frame)
        ):
            return False
        parts = [part for each in call.args for part in self._said(each)]
        return any(self.tensors.is_computed(part, frame) for part in parts)

    def _said(self, term: Term) -> Iterator[Term]:
        """What is printed: a term itself, the parts of a text, what ``"…".format(…)`` and ``%`` put into one."""
        if isinstance(term, Composite):
            yield from term.pieces
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == "format":
            yield from term.args
        elif isinstance(term, BinOp) and term.op == "Mod" and isinstance(term.left, Const):
            yield from term.right.items if isinstance(term.right, Tuple) else (term.right,)
        else:
            yield term


class _OfLoss(_Computed, Supposed):
    """Tensors of a loss whose ``forward`` is supposed to run on the device."""


class _Loss(_Walk):
    """What a loss of a table runs in every step; what its settings decide is the same in each."""

    def __init__(self, program: Program, loop: XlaLoop, forward: Context) -> None:
        super().__init__(program, loop)
        self.tensors = _OfLoss(program, forward)
        self.quiet = frozenset(program.knowledge.tables["xla.seldom"]["names"]) | program.knowledge.phases

    def entered(self, frame: Context, node: Region | Choice) -> Entered | None:
        found = super().entered(frame, node)
        if isinstance(node, If) and found == Entered((), instead=True) and self._is_setting(node.condition, frame):
            return Entered((node.body, node.orelse))
        return found

    def _is_setting(self, condition: Term, frame: Context) -> bool:
        """``self.weighted``, ``not reduce`` with a default: not whether it is time to log, or which mode the module is in."""
        term = condition.operand if isinstance(condition, Not) else condition
        name = term.name if isinstance(term, (Attr, Param)) else ""
        if any(word in name.lower() for word in self.quiet):
            return False
        if isinstance(term, Attr):
            return isinstance(term.base, Self)
        return isinstance(term, Param) and term.function == frame.function.qualname and name in frame.function.defaults


def _of_tables(program: Program, certain: list[XlaLoop], seen: set[tuple[str, str]]) -> Iterator[Fetch]:
    """What losses fetch that a loop on XLA may get out of a table."""
    for loss in registered_losses(program) if certain else ():
        frame = loss.forward
        key = (frame.module, frame.function.qualname)
        trained = [loop for loop in certain if program.together(loop.frame.module, frame.module)]
        if not trained or key in seen:
            continue
        read = [call for home, call in _Loss(program, trained[0], frame).block(frame.function.body, frame) if home is frame]
        if read:
            seen.add(key)
            more = tuple(dict.fromkeys(call.term.site for call in read[1:]))
            yield Fetch(trained[0], frame.module, read[0], more, False, True, (frame.module, loss.spot))


def fetched_every_step(program: Program) -> Iterator[Fetch]:
    """One for each function that fetches values in every step of a loop on XLA."""
    seen: set[tuple[str, str]] = set()
    steps = frozenset(("step", *program.knowledge.tables["xla.steps"]["names"]))
    trains_on = [loop for loop in program.ask(Xla).training() if loop.evidence.certain]
    certain = [(loop, True) for loop in trains_on if not repeats(program, loop.body, loop.frame, steps)]
    for loop, trained in (*certain, *((loop, False) for loop in _evaluating(program))):
        found: dict[tuple[str, str], list[CallStep]] = {}
        where: dict[tuple[str, str], Context] = {}
        for frame, call in _Walk(program, loop).block(loop.body, loop.frame):
            key = (frame.module, frame.function.qualname)
            if all(call.term.site != other.term.site for other in found.setdefault(key, [])):
                found[key].append(call)
            where[key] = frame
        for key, read in found.items():
            frame = where[key]
            if key in seen or tests_software(program, frame.module, frame.function):
                continue
            seen.add(key)
            shown = last_name(read[0].term.callee) == "item" and not is_handed_on(program, frame.function, read[0].term)
            yield Fetch(loop, frame.module, read[0], tuple(call.term.site for call in read[1:]), shown, trained)
    yield from _of_tables(program, trains_on, seen)


def _evaluating(program: Program) -> Iterator[XlaLoop]:
    """The loops over batches on the device that train nothing, in whose own function something is read."""
    asked, index, on = program.ask(Loops), program.ask(CallGraph), program.ask(Xla)
    projects = on.projects()
    names = [name for name, word in program.knowledge.tables["xla.reads"].items() if word == "method"] if projects else []
    seen: set[int] = set()
    for site in (site for name in sorted(names) for site in index.sites.get(name, ())):
        function = site.function
        if id(function) in seen or program.component(site.module) not in projects or not of_kind(function, Loop):
            continue
        seen.add(id(function))
        for subject, spot, _, body in asked.passes(function):
            for frame in calling_contexts(program, site.module, function):
                evidence = on.loader(subject, frame)
                if evidence is not None and not trains(program, body, frame):
                    yield XlaLoop(frame, subject, spot, body, (), evidence)
                    break


_GRADIENT = "grad"


class Gradients(NamedTuple):
    """The call that fetches something of a gradient, in a loop over all of them, and the call that ends the step it runs in."""

    module: str
    site: CallSite
    step: CallSite


def fetched_one_by_one(program: Program) -> Iterator[Gradients]:
    """The first such call of each function that a step on XLA runs."""
    asked = program.ask(Xla)
    if not asked.projects():
        return
    methods = {name for name, word in program.knowledge.tables["xla.reads"].items() if word == "method"}
    names = methods | frozenset(program.knowledge.tables["xla.hosts"]["names"]) | program.knowledge.fluent
    seen: set[int] = set()
    for site in (site for name in sorted(names) for site in program.ask(CallGraph).sites.get(name, ())):
        function = site.function
        if id(function) in seen or program.component(site.module) not in asked.projects():
            continue
        if (
            not isinstance(site.call.term.callee, Attr)
            or not _is_of_each(function, site)
            or not _waits(program, asked, site, methods)
        ):
            continue
        if tests_software(program, site.module, function) or not _always(program, asked, site):
            continue
        step = _step(program, asked, site.module, function)
        if step is not None:
            seen.add(id(function))
            yield Gradients(site.module, site, step)


def _is_of_each(function: Function, site: CallSite) -> bool:
    """Whether a call is made on something of a gradient, in a loop over gradients or over what has them."""
    around = [loop for loop in loops_around(function, site.call) if loop.kind != "while"]
    callee = site.call.term.callee
    return isinstance(callee, Attr) and any(_mentions(callee.base, loop) for loop in around)


def _mentions(term: Term, loop: Loop) -> bool:
    """Whether a term is made of a gradient that a loop hands out: ``p.grad``, or an item of ``[p.grad for p in …]``."""
    for part in parts_of(term):
        drawn = part.of if isinstance(part, Element) and part.of is loop.subject else None
        if isinstance(drawn, Comprehension) and any(
            isinstance(each, Attr) and each.name == _GRADIENT for each in parts_of(drawn.item)
        ):
            return True
        if isinstance(part, Attr) and part.name == _GRADIENT and isinstance(part.base, Element) and part.base.of is loop.subject:
            return True
    return False


def _waits(program: Program, asked: Xla, site: CallSite, methods: set[str]) -> bool:
    """Whether a call fetches what it is made on; where a test for XLA chooses where things go, they stay there."""
    call = site.call.term
    if last_name(call.callee) in methods:
        return not call.args
    frame = program.frame(site.module, site.function)
    for given in call.args:
        ways = list(_ways(given))
        if len(ways) > 1 and any(asked.asks(test, frame) for test, _ in ways if test is not None):
            return False
        if any(to_host(program, Call.new(call.callee, (way,), (), call.site)) for _, way in ways):
            return True
    return not call.args and to_host(program, call)


def _ways(given: Term) -> Iterator[tuple[Term | None, Term]]:
    """What a term may be, each with the test that decides."""
    if isinstance(given, Select):
        for part in given.subterms()[1:]:
            yield from ((given.test if test is None else test, way) for test, way in _ways(part))
            yield given.test, part
    else:
        yield None, given


def _always(program: Program, asked: Xla, site: CallSite) -> bool:
    """Whether a call is made in every step on XLA, for all that the tests say which lead to it."""
    seldom: list[str] = program.knowledge.tables["xla.seldom"]["names"]
    frame = program.frame(site.module, site.function)
    for test, _ in conditions(led_to(site.function, site.call.term)):
        named = (part for part in parts_of(test) if isinstance(part, (Attr, Param, Global)))
        names = {part.name.lower() for part in named}
        if asked.not_in_each_step(test, frame) or any(word in name for word in seldom for name in names):
            return False
    return True


def _step(program: Program, asked: Xla, module: str, function: Function) -> CallSite | None:
    """The call that ends a step on XLA, in a function from which calls lead here."""
    component = program.component(module)
    for site in (site for lead in program.ask(Leading).to(function, loosely=True).values() for site in lead.sites):
        if program.component(site.module) == component and not tests_software(program, site.module, site.function):
            ended = _ending(program, asked, site)
            if ended is not None:
                return ended
    return None


def _ending(program: Program, asked: Xla, site: CallSite) -> CallSite | None:
    """The call in the same function that ends a step on XLA; None where what is asked about is not run in each of them."""
    frame = program.frame(site.module, site.function)
    if any(asked.not_in_each_step(test, frame) for test, _ in conditions(led_to(site.function, site.call.term))):
        return None
    for node in calls_of(site.function):
        if any(asked.role(value) == "step" for value in program.values(node.term.callee, frame)):
            return CallSite(site.module, site.function, node)
    return None


class SavedOnDevice(NamedTuple):
    """A save of a model's state on XLA; ``state`` is the call that hands it out, ``moved`` where the model was put there."""

    module: str
    call: CallStep
    state: Call
    home: str
    moved: tuple[str, Spot]


class _Models:
    """Where models lie."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.xla = program.ask(Xla)
        self.fluent = program.knowledge.fluent

    @remembered(None)
    def moved(self, model: Term, frame: Context) -> tuple[str, Spot] | None:
        """Where a model was put on an XLA device; None where that is not seen, or it was taken off again."""
        around: Context | None = frame
        while around is not None:
            found = self._in_place(model, around)
            if found is False:
                return None
            if found is not None:
                return found
            around = around.closure
        return self._by_its_making(model, frame)

    def _by_its_making(self, model: Term, frame: Context) -> tuple[str, Spot] | None:
        if isinstance(model, Call):
            return self._by_call(model, frame)
        if isinstance(model, Param):
            bound = frame.given(model)
            return self.moved(bound.term, bound.frame) if isinstance(bound, Argument) else None
        if isinstance(model, Attr):
            owner = frame.owner() if isinstance(model.base, Self) else None
            if not isinstance(owner, Instance):
                return (
                    self.moved(model.base, frame) if model.name in self.program.knowledge.tables["xla.inside"]["names"] else None
                )
            kept = self.program.stores(ClassValue(owner.module, owner.cls), model.name)
            found = [
                (self._stored(model, value, self.program.instance_frame(owner, path, function)), value)
                for path, function, value in kept
            ]
            again = [moved for moved, value in found if any(_is_same(part, model) for part in parts_of(value))]
            moves = again or [moved for moved, _ in found]  # ``self.model = self.model.to(device)`` comes after the first
            return moves[0] if moves and None not in moves else None
        return None

    def _stored(self, attribute: Term, value: Term, frame: Context) -> tuple[str, Spot] | None:
        found = self._in_place(attribute, frame)
        return found or (None if found is False else self.moved(value, frame))

    def _by_call(self, call: Call, frame: Context) -> tuple[str, Spot] | None:
        """``Net().to(device)``, ``DDP(model)``, ``model.to(device).train()``."""
        callee = call.callee
        if isinstance(callee, Attr) and callee.name in self.fluent:
            if to_host(self.program, call):
                return None
            if any(self.xla.is_device(argument, frame) for argument in call.args):
                return frame.module, call.site
            return self.moved(callee.base, frame)
        values = self.program.values(callee, frame)
        results = list(returned(self.program, [each for each in values if isinstance(each, FunctionValue)], call, frame))
        if results:
            moves = [self.moved(each.term, each.frame) if each is not None else None for each in results]
            return moves[0] if None not in moves else None
        wraps = any(
            isinstance(value, Library)
            and value.name in self.program.knowledge.kinds
            and value.name.partition(".")[0] in self.xla.roots
            for value in values
        )
        return self.moved(call.args[0], frame) if wraps and call.args else None

    def _in_place(self, model: Term, frame: Context) -> tuple[str, Spot] | Literal[False] | None:
        """Where a function, or one that it hands the model to, moves it to XLA; False where one moves it to the host."""
        found: tuple[str, Spot] | None = None
        for node in calls_of(frame.function):
            callee = node.term.callee
            if any(_is_same(each, model) for each in node.term.args):
                moved = self._in_helper(model, node.term, frame)
                if moved is False:
                    return False
                found = moved or found
            if not isinstance(callee, Attr) or callee.name not in self.fluent or not _is_same(callee.base, model):
                continue
            if to_host(self.program, node.term):
                return False
            if any(self.xla.is_device(argument, frame) for argument in node.term.args):
                found = (frame.module, node.term.site)
        return found

    def _in_helper(self, model: Term, call: Call, frame: Context) -> tuple[str, Spot] | Literal[False] | None:
        """Where a function that is handed a model moves it; nothing that a wrapper returns, which may be a copy."""
        for target in self.program.ask(CallGraph).targets(call, frame):
            if isinstance(target, FunctionValue) and frame.follows(target.function) and not self.program.returns(target.function):
                inner = self.program.enter(target, call, frame)
                for name, bound in inner.arguments.items():
                    if isinstance(bound, Argument) and _is_same(bound.term, model):
                        return self._in_place(Param.new(target.function.qualname, name), inner)
        return None


def _is_same(one: Term, other: Term) -> bool:
    """Whether two terms are of one kind and made of the same parts: one of them may be in no table."""
    return type(one) is type(other) and one.parts == other.parts


def saved_on_device(program: Program) -> Iterator[SavedOnDevice]:
    """Each save that writes the state of a model as it lies on XLA."""
    on = program.ask(Xla)
    projects = on.projects()
    if not projects:
        return
    models, libraries = _Models(program), Tensors(program).libraries
    taken = frozenset(program.knowledge.tables["checkpoints.taken"]["names"])
    seen: set[tuple[str, Spot]] = set()
    for save in program.ask(Written).saves:
        site = save.site
        key = (site.module, site.call.term.site)
        if key in seen or program.component(site.module) not in projects or not _writes(program, save, libraries):
            continue
        if _is_chosen(program, save) or tests_software(program, site.module, site.function):
            continue
        for state, frame in _states(program, save, taken):
            moved = models.moved(state.callee.base, frame) if isinstance(state.callee, Attr) else None
            if moved is not None:
                seen.add(key)
                yield SavedOnDevice(site.module, site.call, state, frame.module, moved)
                break


def _writes(program: Program, save: Save, libraries: frozenset[str]) -> bool:
    """Whether a save is one of the tensor library itself."""
    values = program.values(save.site.call.term.callee, save.frame)
    return any(isinstance(value, Library) and value.name.partition(".")[0] in libraries for value in values)


def _is_chosen(program: Program, save: Save) -> bool:
    """Whether a test for XLA leads to the save, or to one of the calls that lead to it."""
    leading = ((test, frame) for frame, call in save.leading() for test, _ in conditions(led_to(frame.function, call)))
    return any(program.ask(Xla).asks(test, frame) for test, frame in leading)


def _states(program: Program, save: Save, taken: frozenset[str]) -> Iterator[tuple[Call, Context]]:
    """The calls that hand out what is saved: by itself, or in a dict."""
    parts = [Argument(save.given, save.frame)]
    parts += [each for found in program.ask(Written).contents(save) for each in chain(*found.items.values())]
    for term, home in (origin(program, *each) for each in parts):
        if (
            isinstance(term, Call)
            and isinstance(term.callee, Attr)
            and last_name(term.callee) in taken
            and not term.args
            and not term.kwargs
        ):
            yield term, home
