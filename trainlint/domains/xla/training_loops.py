"""Training loops on XLA: devices, loaders, steps and launches of torch_xla, and the loops that use them.

Functions that an object runs on every core: ``parallel(step, loader)`` calls ``step(model, batches, …)`` there.

Nobody is seen to call such a function. What it is handed is known all the same: the object's module, and the
batches of the loader on the core's device. (torch_xla up to 1.13, ``data_parallel.DataParallel``; the role
``cores`` of the table ``xla``.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import led_to
from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions, conjuncts
from trainlint.ir.nodes import Attr, BinOp, BoolOp, Call, Compare, Const, Element, Global, Not, Or, Param, Ref, Self, Term
from trainlint.ir.sketch import Block, CallStep, Function, If, Loop, Statement, With
from trainlint.ir.walk import statements_of, walk
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.consteval import choices, deep
from trainlint.program.contexts import calling_contexts
from trainlint.program.imports import imported
from trainlint.program.loops import Loops, Pass, trains
from trainlint.program.memo import remembered
from trainlint.program.naming import names_of_source
from trainlint.program.program import Program
from trainlint.program.running_calls import each_call, executed
from trainlint.program.sources import arguments_of, innermost, iterated
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

Role = Callable[[Value], str | None]

#: What a setting may be: it is given, kept, or a name of the file.
_SETTINGS = (Param, Attr, Global)


def on_cores(program: Program, role: Role, function: Function) -> Iterator[Context]:
    """The activations of a function that such objects run, one for each call; nothing for other functions."""
    for site in program.ask(CallGraph).handed.get(function.name, ()):
        own = program.frame(site.module, site.function)
        call = site.call.term
        for value in program.values(call.callee, own):
            if (
                role(value) == "cores"
                and isinstance(value, (LibraryObject, Instance))
                and len(call.args) == 2  # noqa: PLR2004 - the function and its arguments
                and not call.kwargs
            ):
                for target in program.values(call.args[0], own):
                    if isinstance(target, FunctionValue) and target.function is function:
                        yield _frame(program, site, own, target, value)


def _frame(program: Program, site: CallSite, own: Context, target: FunctionValue, made: LibraryObject | Instance) -> Context:
    function, call = target.function, site.call.term
    frame = Context(
        target.module,
        function,
        receiver=target.receiver,
        closure=target.closure or program.frame(target.module, function).closure,
        depth=own.depth + 1,
        caller=own,
        call=call,
    )
    free = function.parameters[1:] if target.receiver is not None else function.parameters
    loads = next(
        (n for n, word in program.knowledge.xla.items() if word == "loader" and program.knowledge.iterates.get(n) == "same"), None
    )
    for parameter, value in zip(free, (_module(program, made), None), strict=False):
        if value is not None:
            frame.arguments[parameter] = value
    if len(free) > 1 and loads is not None:
        frame.arguments[free[1]] = LibraryObject(loads, Call.new(call.callee, call.args[1:], (), call.site), own)
    return frame


def _module(program: Program, made: LibraryObject | Instance) -> Value | None:
    """The module that runs on the cores: an object of the class that is handed over, or the object."""
    if made.call is None or made.frame is None or not made.call.args:
        return None
    for value in program.values(made.call.args[0], made.frame):
        if isinstance(value, ClassValue):
            return Instance(value.module, value.cls)
        if isinstance(value, Instance):
            return value
    return None


class Evidence(NamedTuple):
    """What shows that something runs on XLA: a place, and the sentence to print there.

    ``certain`` is False when it only shows that the program is meant to run on XLA too.
    """

    module: str
    spot: Spot
    says: str
    certain: bool = True


class Loaded(NamedTuple):
    """A loader whose batches a loop takes; ``prepared``: a library wraps it first (see the table ``kinds``)."""

    loader: LibraryObject | Instance
    prepared: bool


class XlaLoop(NamedTuple):
    """A training loop on XLA, in one activation: what it iterates, what runs for a batch, and the loaders that are known."""

    frame: Context
    subject: Term
    spot: Spot
    body: Block
    loaders: tuple[Loaded, ...]
    evidence: Evidence


class Xla:
    """Questions about XLA, answered across functions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.roots = frozenset(name.partition(".")[0] for name in program.knowledge.xla)
        self._launched: dict[int, Evidence] | None = None
        self._asking: dict[int, bool] = {}

    # -- roles -----------------------------------------------------------------------------------------------------

    def role(self, value: Value) -> str | None:
        """What the table ``xla`` says of a value: of a library's thing, or of the library's own source."""
        known = self.program.knowledge.xla
        if isinstance(value, (Library, LibraryObject)):
            return known.get(value.name)
        if isinstance(value, FunctionValue):
            return self._of_source(value.module, value.function.qualname)
        if isinstance(value, (ClassValue, Instance)):
            return self._of_source(value.module, value.cls.qualname)
        return None

    def _of_source(self, path: str, qualname: str) -> str | None:
        """The role of something whose library is the project that is checked, by the path of its file."""
        known = self.program.knowledge.xla
        names = names_of_source(self.program, path, qualname, self.roots)
        return next((known[name] for name in names if name in known), None)

    def is_device(self, term: Term, frame: Context) -> bool:
        """Whether a term may stand for an XLA device (also by its name, ``"xla:0"``, or as an item of a list of them)."""
        if isinstance(term, Call) and any(self.role(value) == "device" for value in self.program.values(term.callee, frame)):
            return True
        for value in self.program.values(term, frame):
            if self.role(value) == "device":
                return True
            if isinstance(value, LibraryObject) and self.role(value) == "named" and value.call is not None:
                if any(self._names_one(argument) for argument in value.call.args[:1]):
                    return True
            elif isinstance(value, Unresolved) and self._names_one(value.term):
                return True
        return False

    def _names_one(self, term: Term) -> bool:
        """The text ``"xla"`` or ``"xla:1"``."""
        text = term.value.lower().partition(":")[0] if isinstance(term, Const) and term.type == "str" else None
        return text in self.program.knowledge.xla_devices

    # -- tests for XLA ---------------------------------------------------------------------------------------------

    @remembered(False)
    def asks(self, term: Term, frame: Context) -> bool:
        """Whether a condition asks if XLA is used: its truth then decides which of two programs is meant."""
        name = (
            term.name
            if isinstance(term, (Attr, Param))
            else term.name.rpartition(".")[2]
            if isinstance(term, (Global, Ref))
            else None
        )
        if isinstance(term, Const):
            return self._names_one(term)
        if isinstance(term, Element):
            return False  # which loader a batch came from is no question of this test
        if isinstance(name, str) and name.lower().lstrip("_") in self.program.knowledge.xla_switches:
            return True
        if isinstance(term, (Ref, Attr, Global)) and any(
            self.role(v) in ("platform", "test") for v in self.program.values(term, frame)
        ):
            return True
        if isinstance(term, Call) and self._answers(term, frame):
            return True
        if isinstance(term, _SETTINGS) and term in self._switches():
            return True
        if isinstance(term, Param) or (isinstance(term, Attr) and isinstance(term.base, Self)):
            passed = [v for v in self.program.values(term, frame) if isinstance(v, Unresolved) and v.term is not term]
            return any(self.asks(value.term, value.frame) for value in passed)
        return any(self.asks(part, frame) for part in term.subterms())

    @remembered(frozenset[Term]())
    def _switches(self) -> frozenset[Term]:
        """What decides whether a device is one of XLA, whatever it is called: ``device = xla_device() if fast else "cuda"``."""
        names = {name.rpartition(".")[2] for name, word in self.program.knowledge.xla.items() if word == "device"}
        found: list[Term] = []
        for site in (site for name in sorted(names) for site in self.index.sites.get(name, ())):
            led = led_to(site.function, site.call.term)
            if led and self.is_device(site.call.term, self.program.frame(site.module, site.function)):
                found += (part for test, arm in conditions(led) if arm for part in conjuncts(test))
        return frozenset(part for part in found if isinstance(part, _SETTINGS))

    def arm(self, condition: Term, frame: Context) -> bool | None:
        """Which arm of a test for XLA runs there: True the first, False the other one; None where it does not say."""
        if isinstance(condition, Not):
            inner = self.arm(condition.operand, frame)
            return None if inner is None else not inner
        if isinstance(condition, BoolOp):
            arms = {self.arm(part, frame) for part in condition.operands}
            return isinstance(condition, Or) if isinstance(condition, Or) in arms else None
        if isinstance(condition, Compare):
            equal = condition.op in ("Eq", "Is", "In")
            return equal if (equal or condition.op in ("NotEq", "IsNot", "NotIn")) and self.asks(condition, frame) else None
        return True if self.asks(condition, frame) else None

    def _answers(self, call: Call, frame: Context) -> bool:
        """A call of a project function that returns such a test."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, FunctionValue):
                key = id(value.function)
                if key not in self._asking:
                    self._asking[key] = False
                    inner = self.program.frame(value.module, value.function)
                    returned = self.program.returns(value.function)
                    self._asking[key] = any(not isinstance(term, Const) and self.asks(term, inner) for term in returned)
                if self._asking[key]:
                    return True
        return False

    def not_in_each_step(self, condition: Term, frame: Context) -> bool:
        """Whether a test is for XLA, or for something that is not so in every step of a training."""
        return self.asks(condition, frame) or self._seldom(condition)

    def _seldom(self, condition: Term) -> bool:
        """``step % 100 == 0``, ``not self.training``."""
        if isinstance(condition, BinOp):
            return bool(condition.op == "Mod")
        if isinstance(condition, Attr) and condition.name in self.program.knowledge.phases:
            return True
        return isinstance(condition, (Compare, Not, BoolOp)) and any(self._seldom(part) for part in condition.subterms())

    def meant_for(self, frame: Context) -> Evidence | None:
        """A test for XLA as a platform in the function, in what it is nested in, or in its callers."""
        current: Context | None = frame
        while current is not None:
            around: Context | None = current
            while around is not None:
                found = self._platform(around)
                if found is not None:
                    return found
                around = around.closure
            current = current.caller
        return None

    def _platform(self, frame: Context) -> Evidence | None:
        for node in statements_of(frame.function):
            if isinstance(node, If) and self._compares(node.condition, frame):
                return Evidence(frame.module, node.test, "this test is for runs on XLA", certain=False)
            if isinstance(node, CallStep) and any(self._compares(condition, frame) for condition in choices(node)):
                return Evidence(
                    frame.module, node.term.site, "what is passed here depends on whether it runs on XLA", certain=False
                )
        return None

    def _compares(self, term: Term, frame: Context) -> bool:
        if isinstance(term, (Not, BoolOp)):
            return any(self._compares(part, frame) for part in term.subterms())
        if not isinstance(term, Compare):
            return False
        sides = [value for part in term.sides for value in self.program.values(part, frame)]
        return any(self.role(value) == "platform" for value in sides)

    # -- loops -----------------------------------------------------------------------------------------------------

    @remembered()
    def training(self) -> list[XlaLoop]:
        """The training loops that run on XLA, in each activation."""
        return list(self._loops(self.projects()))

    def projects(self) -> set[str]:
        """The parts of the program (see ``Program.component``) that name XLA at all: in most programs there is none."""
        return {self.program.component(path) for path in self.naming()}

    @remembered()
    def naming(self) -> frozenset[str]:
        """The files that import something of XLA or name one of its devices."""
        program = self.program
        words = frozenset(program.knowledge.tables["xla.words"]["names"])
        found = {
            path
            for path, module in program.modules.items()
            if any(not words.isdisjoint(name.split(".")) for name in imported(module))
        }
        names = {name.rpartition(".")[2] for name, role in program.knowledge.xla.items() if role == "named"}
        for site in (site for name in names | program.knowledge.fluent for site in self.index.sites.get(name, ())):
            if any(self._names_one(argument) for argument in site.call.term.args):
                found.add(site.module)
        return frozenset(found)

    @remembered()
    def _in_reach(self, frame: Context) -> bool:
        """Whether something of XLA may be at hand in an activation: in its file, or handed in from one that names XLA."""
        naming = self.naming()
        for active in frame.active():
            around: Context | None = active
            while around is not None:
                if around.module in naming:
                    return True
                around = around.closure
        return False

    def _loops(self, projects: set[str]) -> Iterator[XlaLoop]:
        asked = self.program.ask(Loops)
        passes = asked.training_passes() if projects else ()
        for found in passes:
            if self.program.component(found.module) not in projects:
                continue
            cores = list(on_cores(self.program, self.role, found.function))
            for frame in cores or calling_contexts(self.program, found.module, found.function):
                loaders = [Loaded(loader, False) for loader in asked.iterated(found.subject, frame)]
                loaders += [Loaded(loader, True) for loader in asked.prepared(found.subject, frame)]
                if not loaders and _around(found, self.program):
                    continue
                if trains(self.program, found.body, frame):
                    evidence = self.evidence(found, frame)
                    if evidence is not None:
                        yield XlaLoop(frame, found.subject, found.spot, found.body, tuple(loaders), evidence)

    def evidence(self, found: Pass, frame: Context) -> Evidence | None:
        """What shows that a loop runs on XLA: its loader, its step, its device, its launch, or a branch for it."""
        return self.loader(found.subject, frame) or self._body(found.body, frame) or self.launch(frame) or self.meant_for(frame)

    def takes_one(self, callee: Value) -> bool:
        """Whether a callee hands out the next item of its argument, as ``next`` does."""
        return isinstance(callee, Library) and self.program.knowledge.iterates.get(callee.name) == "item"

    def loads(self, subject: Term, frame: Context) -> bool:
        """Whether what a loop iterates hands its batches out on an XLA device."""
        return self.loader(subject, frame) is not None

    def loader(self, subject: Term, frame: Context) -> Evidence | None:
        """What shows that what a loop iterates hands its batches out on an XLA device."""
        for value in innermost(self.program, self.program.values(subject, frame), self._inside):
            if not isinstance(value, (LibraryObject, Instance)) or value.call is None or value.frame is None:
                continue
            if self.role(value) == "loader":
                return Evidence(value.frame.module, value.call.site, "the batches are moved to an XLA device here")
        return None

    def _inside(self, value: Value) -> list[Argument] | None:
        """What a loader may be in that is none of XLA's: an iterator of a library, an object of the project."""
        if not isinstance(value, (LibraryObject, Instance)) or self.role(value) == "loader":
            return None
        return iterated(self.program, value) if isinstance(value, LibraryObject) else arguments_of(value)

    def _body(self, block: Block, frame: Context) -> Evidence | None:
        """A step of XLA, or a value put on an XLA device, in a block or in what it calls.

        In other files than the loop's own, what stands under a test for XLA says nothing of this loop: a library
        often ends a step where torch_xla can be imported.
        """
        seen: set[int] = set()
        called = each_call(self.program)

        def inside(part: Block, here: Context) -> Iterator[Statement]:
            but = self.asks if here.module != frame.module and self._in_reach(here) else None
            return deep(self.program, part, here, but)

        def entered(node: CallStep, here: Context) -> Iterator[Context]:
            for inner in called(node, here):
                if id(inner.function) not in seen:  # once for a loop is enough: it hardly depends on which call it is
                    seen.add(id(inner.function))
                    yield inner

        for node, here in executed(block, frame, inside, entered):
            calls = node.items if isinstance(node, With) else (node.term,) if isinstance(node, CallStep) else ()
            for call in calls if calls and self._in_reach(here) else ():
                found = self._step(call, here) if isinstance(call, Call) else None
                if found is not None:
                    return found
        return None

    def _step(self, call: Call, frame: Context) -> Evidence | None:
        callees = self.program.values(call.callee, frame)
        roles = {self.role(value) for value in callees}
        if "step" in roles:
            return Evidence(frame.module, call.site, "this ends a step of the program that XLA compiles")
        if call.args and any(self.takes_one(value) for value in callees):
            return self.loader(call.args[0], frame)
        moved = "moves" in roles or (isinstance(call.callee, Attr) and call.callee.name in self.program.knowledge.fluent)
        if moved and any(self.is_device(argument, frame) for argument in (*call.args, *(value for _, value in call.kwargs))):
            return Evidence(frame.module, call.site, "this is moved to an XLA device")
        return None

    def launch(self, frame: Context) -> Evidence | None:
        """What starts the function of an activation, or one that leads to it, on every core."""
        launched = self.launched()
        current: Context | None = frame
        while current is not None and launched:
            around: Context | None = current
            while around is not None:
                if id(around.function) in launched:
                    return launched[id(around.function)]
                around = around.closure
            current = current.caller
        return None

    def launched(self) -> dict[int, Evidence]:
        """The functions that are started on every core, by identity, with the call that starts them."""
        if self._launched is None:
            self._launched = {}
            names = {name.rpartition(".")[2] for name, role in self.program.knowledge.xla.items() if role == "launch"}
            for site in [site for name in sorted(names) for site in self.index.sites_named(name)]:
                frame = self.program.frame(site.module, site.function)
                term = site.call.term
                if any(self.role(value) == "launch" for value in self.program.values(term.callee, frame)):
                    says = "this starts the training on every XLA device"
                    for argument in (*term.args[:1], *(value for name, value in term.kwargs if name == "fn")):
                        for value in self.program.values(argument, frame):
                            if isinstance(value, FunctionValue):
                                self._launched[id(value.function)] = Evidence(site.module, term.site, says)
        return self._launched


def _around(found: Pass, program: Program) -> bool:
    """Whether a loop only repeats others that train, as a loop over epochs does."""
    asked, names = program.ask(Loops), program.knowledge.training
    inner = (node for node in walk(found.body) if isinstance(node, Loop))
    return any(asked.says(found.module, found.function, node.body, names) for node in inner)
